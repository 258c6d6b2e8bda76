/** How bad it is. */
export type Severity =
  /** A promise is broken, or will be. */
  | 'error'
  /** Something is neglected, or will fail under load. */
  | 'warning'
  /** It works, and would be better otherwise. Does not change the exit code. */
  | 'advice';

/** Something that is wrong. */
export interface Finding {
  readonly severity: Severity;
  readonly what: string;
  /** What comes of it. */
  readonly why: string;
  readonly do: string;
}

/** What one check came to. */
export type Examination =
  | {
      readonly kind: 'examined';
      readonly findings: readonly Finding[];
      /** What was seen, in a few words. */
      readonly note: string;
    }
  | { readonly kind: 'skipped'; readonly reason: string };

export function examined(note: string, ...findings: readonly Finding[]): Examination {
  return { kind: 'examined', findings, note };
}

export function skipped(reason: string): Examination {
  return { kind: 'skipped', reason };
}
