/**
 * What is known of objects that live as long as a request, and are not ours.
 *
 * Kept on them, where nobody sees it, and not in a `WeakMap`: a collection of young garbage takes
 * all values of one for alive. A note that leads back to its object would let each request grow
 * old, with all that it holds, and leave it to a collection of the whole heap.
 */
export class NotesOnObjects<Note> {
  readonly #name = Symbol('onceward note');
  /** Of those that nothing can be written on, such as frozen ones. Later than what is on them. */
  readonly #elsewhere = new WeakMap<object, Note>();

  set(subject: object, note: Note): void {
    const property = { value: note, writable: true, configurable: true };
    if (!Reflect.defineProperty(subject, this.#name, property)) this.#elsewhere.set(subject, note);
  }

  get(subject: object): Note | undefined {
    return this.#elsewhere.get(subject) ?? this.#own(subject);
  }

  /** What was made from an object is another one, and has no note of it. */
  #own(subject: object): Note | undefined {
    return Object.hasOwn(subject, this.#name) ? (subject as Noted<Note>)[this.#name] : undefined;
  }
}

interface Noted<Note> {
  [name: symbol]: Note | undefined;
}
