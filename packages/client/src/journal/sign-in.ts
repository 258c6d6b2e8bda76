/**
 * What follows from a 401: the user is signed in again once, however many attempts ask for it, and
 * nothing is sent meanwhile. If that did not help, the application has to.
 *
 *   fine ──401──▶ refreshing ──▶ unproven ──any other answer──▶ fine
 *                     │              │
 *                   failed          401
 *                     └──────┬───────┘
 *                            ▼
 *                         needed ──accept()──▶ fine
 */
export class SignIn {
  readonly #refresh: (() => Promise<unknown>) | undefined;
  readonly #events: SignInEvents;
  #state: 'fine' | 'refreshing' | 'unproven' | 'needed' = 'fine';
  #epoch = 0;

  constructor(refresh: (() => Promise<unknown>) | undefined, events: SignInEvents) {
    this.#refresh = refresh;
    this.#events = events;
  }

  /** Which sign-in an attempt goes out with. */
  get epoch(): number {
    return this.#epoch;
  }

  get allowsSending(): boolean {
    return this.#state === 'fine' || this.#state === 'unproven';
  }

  /** An attempt of an epoch was asked to sign in. */
  reject(epoch: number): void {
    // It went out with what has been replaced meanwhile.
    if (epoch !== this.#epoch || !this.allowsSending) return;
    if (this.#state === 'fine' && this.#refresh) void this.#signIn(this.#refresh);
    else this.#need();
  }

  /** An attempt of an epoch got another answer. */
  prove(epoch: number): void {
    if (epoch === this.#epoch && this.#state === 'unproven') this.#state = 'fine';
  }

  /** The application says that the user has signed in. */
  accept(): void {
    this.#epoch++;
    this.#state = 'fine';
  }

  async #signIn(refresh: () => Promise<unknown>): Promise<void> {
    this.#state = 'refreshing';
    const epoch = ++this.#epoch;
    const passed = await (async () => refresh())().then(
      () => true,
      () => false,
    );
    if (epoch !== this.#epoch) return;
    if (!passed) return this.#need();
    this.#state = 'unproven';
    this.#events.refreshed();
  }

  #need(): void {
    this.#state = 'needed';
    this.#events.needed();
  }
}

interface SignInEvents {
  refreshed(): void;
  needed(): void;
}
