import { mintKey } from '@onceward/core';
import type { Arena } from './arena.ts';
import type { Check, Finding } from './check.ts';
import type { Contender } from './contenders/contender.ts';

/** What a check found, and whether it is a choice. */
export interface Verdict extends Finding {
  readonly kind: 'holds' | 'by choice' | 'fails';
  /** For a choice: whose, and which. */
  readonly choice?: string | undefined;
}

/** Runs a check, and judges what it found by what the contender promises. */
export async function compare(check: Check, contender: Contender, arena: Arena): Promise<Verdict> {
  const finding = await check.run(arena, mintKey());
  if (finding.holds) return { ...finding, kind: 'holds' };
  const choice = contender.choices[check.name];
  return { ...finding, kind: choice === undefined ? 'fails' : 'by choice', choice };
}
