/**
 * What is known of objects that live as long as a request.
 *
 * Kept on them, where nobody sees it, and not in a `WeakMap`: a collection of young garbage takes
 * all values of one for alive. A note that leads back to its object would let each request grow
 * old, with all that it holds, and leave it to a collection of the whole heap.
 */
export class NotesOnObjects<Note> {
  readonly #name = Symbol('onceward');
  /** Of those that cannot be written on. */
  readonly #sealed = new WeakMap<object, Note>();

  set(subject: object, note: Note): void {
    if (this.#name in subject) (subject as Noted<Note>)[this.#name] = note;
    else if (Object.isExtensible(subject)) {
      Object.defineProperty(subject, this.#name, { value: note, writable: true });
    } else this.#sealed.set(subject, note);
  }

  get(subject: object): Note | undefined {
    return (subject as Noted<Note>)[this.#name] ?? this.#sealed.get(subject);
  }
}

interface Noted<Note> {
  [name: symbol]: Note | undefined;
}
