/** What a command may touch of the world around it. Tests hand in another one. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results: tables and JSON. */
  readonly stdout: Output;
  /** Everything else: progress, questions, and what went wrong. */
  readonly stderr: Output;
  /** Asks the person at the terminal; absent where there is none. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readonly readFile: (path: string) => Promise<string>;
  /** The clock of this machine, which `doctor` compares with the database's. */
  readonly now: () => number;
  /** Aborted at Ctrl-C: long work ends after the step it is at. */
  readonly signal: AbortSignal;
}

/** Where a command writes to. */
export interface Output {
  write(text: string): void;
  /** Whether a person sees it as it is written. */
  readonly isTTY: boolean;
}
