/** Why the console does not do what it was asked for. The page has a sentence for each. */
export type RefusalCode =
  | 'audit-failed'
  | 'bad-request'
  | 'forbidden'
  | 'not-found'
  | 'not-json'
  | 'not-same-origin'
  | 'store-failed'
  | 'token-refused'
  | 'too-large'
  | 'too-slow'
  | 'unavailable'
  | 'wrong-method';

/** Ends a request with a status and a code. Says nothing about what is stored. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: RefusalCode;
  /** Of the request's body: what is wrong about it. */
  readonly field: string | undefined;

  constructor(status: number, code: RefusalCode, field?: string) {
    super(code);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}
