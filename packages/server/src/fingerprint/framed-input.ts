/**
 * An input of which all but one member is canonical JSON already, because it is the same for many:
 * the text of an operation, say, which is longer than its variables. It has the fingerprint of the
 * whole object.
 */
export class FramedInput {
  readonly frame: CanonicalFrame;
  readonly value: unknown;

  constructor(frame: CanonicalFrame, value: unknown) {
    this.frame = frame;
    this.value = value;
  }
}

/** An object but for its last member. */
export interface CanonicalFrame {
  /** All that is before the value of that member: `{"document":"…","variables":` */
  readonly before: string;
  /** All of it, for when there is no such value. */
  readonly without: string;
}
