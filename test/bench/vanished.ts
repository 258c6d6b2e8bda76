import type { Findings } from './findings.ts';
import { goals } from './goals.ts';

/**
 * The goals of a part that it neither measured nor said why not. A row that is renamed on one side
 * only would otherwise be gone from the table, and nobody would miss it.
 */
export function vanished(part: string, { figures, missing = {} }: Findings): readonly string[] {
  return Object.keys(goals[part] ?? {}).filter(
    (name) => !(name in missing) && !Number.isFinite(figures[name]?.median),
  );
}

/** The same findings with a row for each of them. */
export function withVanished(part: string, findings: Findings): Findings {
  const reasons = vanished(part, findings).map((name) => [name, 'nothing measures it any more']);
  if (reasons.length === 0) return findings;
  return { ...findings, missing: { ...findings.missing, ...Object.fromEntries(reasons) } };
}
