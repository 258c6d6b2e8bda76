/** What should go wrong with a request. */
export interface Faults {
  /** Wait before anything is looked at. */
  readonly delayMs: number;
  /** Wait inside the handler, when the effect has happened and is not yet confirmed. */
  readonly holdMs: number;
  /** Answer the first attempt of a key with 503, as a gateway would. */
  readonly unavailable: boolean;
  /** Close the connection of the first attempt of a key instead of answering. */
  readonly drop: boolean;
  /** End the server inside the handler, at the first attempt of a key. */
  readonly crash: boolean;
}

export type ParsedFaults = { readonly faults: Faults } | { readonly problem: string };

/** Reads the `x-fault` header, such as `hold=500,drop`. */
export function parseFaults(header: string | null): ParsedFaults {
  let faults: Faults = noFaults;
  const words = (header ?? '').split(',').map((word) => word.trim());
  for (const word of words.filter((each) => each !== '')) {
    const fault = parseFault(word);
    if (!fault) return { problem: `x-fault: ${word} is not a fault. ${knownFaults}` };
    faults = { ...faults, ...fault };
  }
  return { faults };
}

const noFaults: Faults = { delayMs: 0, holdMs: 0, unavailable: false, drop: false, crash: false };

const longestMs = 60_000;

const knownFaults =
  `Use one or more of delay=<ms>, hold=<ms>, status=503, drop and crash, with commas between ` +
  `them, and at most ${longestMs} ms.`;

function parseFault(word: string): Partial<Faults> | undefined {
  switch (word) {
    case 'status=503':
      return { unavailable: true };
    case 'drop':
      return { drop: true };
    case 'crash':
      return { crash: true };
    default:
      return parseWait(word);
  }
}

function parseWait(word: string): Partial<Faults> | undefined {
  const [, name, digits] = /^(delay|hold)=(\d{1,5})$/.exec(word) ?? [];
  const ms = Number(digits);
  if (!name || ms > longestMs) return undefined;
  return name === 'delay' ? { delayMs: ms } : { holdMs: ms };
}
