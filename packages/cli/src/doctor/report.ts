import { printable } from '@onceward/core';
import type { Examined } from './examine.ts';
import type { Finding, Severity } from './finding.ts';

export interface Report {
  /** What was examined, without passwords. */
  readonly addresses: readonly string[];
  readonly examined: readonly Examined[];
}

/** What `doctor --json` prints. */
export interface ReportDocument {
  readonly addresses: readonly string[];
  readonly checks: readonly {
    readonly check: string;
    /** `advice`: nothing is wrong, and something could be better. */
    readonly result: 'ok' | 'advice' | 'wrong' | 'skipped';
    readonly note: string;
  }[];
  /** Errors first. */
  readonly findings: readonly (Finding & { readonly check: string })[];
}

export function documentOf({ addresses, examined }: Report): ReportDocument {
  const findings = examined.flatMap((each) =>
    each.kind === 'skipped' ? [] : each.findings.map((found) => ({ check: each.check, ...found })),
  );
  return {
    addresses,
    checks: examined.map((each) => ({
      check: each.check,
      result: resultOf(each),
      note: each.kind === 'skipped' ? each.reason : each.note,
    })),
    findings: severities.flatMap((severity) =>
      findings.filter((found) => found.severity === severity),
    ),
  };
}

/** For people: the checks in one line each, then what is wrong, worst first. */
export function pageOf(report: Report): string {
  const { addresses, checks, findings } = documentOf(report);
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.map(
    ({ check, result, note }) => `${marks[result]} ${check.padEnd(width)}  ${printable(note)}`,
  );
  const count = (severity: Severity) =>
    findings.filter((each) => each.severity === severity).length;
  const skippedCount = checks.filter(({ result }) => result === 'skipped').length;
  return [
    ...addresses.map((address) => `examined ${printable(address)}`),
    '',
    ...lines,
    '',
    ...findings.flatMap(paragraphOf),
    `errors: ${count('error')}, warnings: ${count('warning')}, advice: ${count('advice')}; ` +
      `checks made: ${checks.length - skippedCount}, not made: ${skippedCount}`,
    '',
  ].join('\n');
}

function paragraphOf({ severity, check, ...found }: Finding & { check: string }): string[] {
  return [
    `${severity} (${check}): ${printable(found.what)}`,
    `  why: ${printable(found.why)}`,
    `  do:  ${printable(found.do)}`,
    '',
  ];
}

function resultOf(each: Examined): ReportDocument['checks'][number]['result'] {
  if (each.kind === 'skipped') return 'skipped';
  if (each.findings.some(({ severity }) => severity !== 'advice')) return 'wrong';
  return each.findings.length > 0 ? 'advice' : 'ok';
}

const severities: readonly Severity[] = ['error', 'warning', 'advice'];
const marks = { ok: 'ok     ', advice: 'advice ', wrong: 'WRONG  ', skipped: 'skipped' } as const;
