/** What is known of objects that live as long as a request, and are not ours. */
export interface NotesOnObjects<Note> {
  set(subject: object, note: Note): void;
  get(subject: object): Note | undefined;
}

/**
 * Keeps notes on the objects themselves, where nobody sees them, and not in a `WeakMap`: a
 * collection of young garbage takes all values of one for alive. A note that leads back to its
 * object would let each request grow old, with all that it holds, and leave it to a collection of
 * the whole heap.
 */
export function notesOnObjects<Note>(): NotesOnObjects<Note> {
  /** Of those that take no members. */
  const elsewhere = new WeakMap<object, Note>();

  /** A private member is seen by nobody, copied by nobody and not inherited. */
  class Noted extends Subject {
    #note: Note;

    private constructor(subject: object, note: Note) {
      super(subject);
      this.#note = note;
    }

    static set(subject: object, note: Note): void {
      if (#note in subject) subject.#note = note;
      else if (Object.isExtensible(subject)) new Noted(subject, note);
      else elsewhere.set(subject, note);
    }

    static get(subject: object): Note | undefined {
      return #note in subject ? subject.#note : elsewhere.get(subject);
    }
  }
  return Noted;
}

/** What extends it gives its private members to a given object, and not to one of its own. */
class Subject {
  constructor(subject: object) {
    return subject;
  }
}
