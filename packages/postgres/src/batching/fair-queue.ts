/**
 * A queue with a line for each scope, from which lines take turns.
 *
 * However much one scope sends at once, another one's next item is among the next few.
 */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(scope: string): number {
    return this.#lines.get(scope)?.length ?? 0;
  }

  push(scope: string, item: Item): void {
    const line = this.#lines.get(scope);
    if (line) line.push(item);
    else this.#lines.set(scope, [item]);
    this.#size++;
  }

  /** The next one: of the line that has waited longest for its turn. */
  shift(): Item | undefined {
    const [next] = this.#lines;
    if (!next) return undefined;
    const [scope, line] = next;
    const item = line.shift();
    this.#size--;
    if (line.length > 0 && this.#lines.size === 1) return item;
    // A map keeps the order in which keys were added: this line goes to the end.
    this.#lines.delete(scope);
    if (line.length > 0) this.#lines.set(scope, line);
    return item;
  }

  /** Takes those of which this is true out of their turn, so many of them at most. */
  takeOut(where: (item: Item) => boolean, atMost: number): Item[] {
    const taken: Item[] = [];
    for (const [scope, line] of this.#lines) {
      const left: Item[] = [];
      for (const item of line) (taken.length < atMost && where(item) ? taken : left).push(item);
      if (left.length > 0) this.#lines.set(scope, left);
      else this.#lines.delete(scope);
    }
    this.#size -= taken.length;
    return taken;
  }
}
