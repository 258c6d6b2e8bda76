/**
 * A part of an input that is canonical JSON already, because it is the same for many inputs: the
 * text of an operation, say, which is longer than its variables.
 */
export class CanonicalText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
