/**
 * What follows from a 401: the user is signed in again once, however many attempts ask for it, and
 * nothing is sent meanwhile. If that did not help, the application has to.
 *
 *   fine ──401──▶ refreshing ──▶ fine, until a 401 proves that it did not help
 *                     │                                   │
 *                   failed                                │
 *                     └─────────────────┬─────────────────┘
 *                                       ▼
 *                                    needed ──accept()──▶ fine
 */
export class SignIn {
  readonly #refresh: (() => Promise<unknown>) | undefined;
  readonly #changed: (state: SignInState) => void;
  state: SignInState = 'fine';
  /** Which sign-in an attempt goes out with. */
  epoch = 0;
  /** Whether this sign-in has been good for something. */
  #proven = true;

  constructor(
    refresh: (() => Promise<unknown>) | undefined,
    changed: (state: SignInState) => void,
  ) {
    this.#refresh = refresh;
    this.#changed = changed;
  }

  /** An attempt of an epoch was asked to sign in. */
  reject(epoch: number): void {
    // It went out with what has been replaced meanwhile.
    if (epoch !== this.epoch) return;
    this.epoch++;
    if (this.#refresh && this.#proven) void this.#signIn(this.#refresh);
    else this.#enter('needed');
  }

  /** An attempt of an epoch got another answer. */
  prove(epoch: number): void {
    this.#proven ||= epoch === this.epoch;
  }

  /** The application says that the user has signed in. */
  accept(): void {
    this.epoch++;
    this.#proven = true;
    this.state = 'fine';
  }

  async #signIn(refresh: () => Promise<unknown>): Promise<void> {
    const epoch = this.epoch;
    this.#proven = false;
    this.state = 'refreshing';
    const state = await (async () => refresh())().then(
      () => 'fine' as const,
      () => 'needed' as const,
    );
    if (epoch === this.epoch) this.#enter(state);
  }

  #enter(state: SignInState): void {
    this.state = state;
    this.#changed(state);
  }
}

export type SignInState =
  | 'fine'
  | 'refreshing'
  /** The application has to sign the user in. */
  | 'needed';
