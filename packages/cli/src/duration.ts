import { InvalidArgumentError, Option } from 'commander';

/** Reads a time as people write it: `250ms`, `30s`, `15m`, `2h`, `7d`. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * (unitMs[unit ?? ''] ?? Number.NaN));
  if (Number.isSafeInteger(ms)) return ms;
  throw new InvalidArgumentError('Expected a time such as 250ms, 30s, 15m, 2h or 7d.');
}

/** An option that takes a time, with a default that the help shows as people write it. */
export function timeOption(flags: string, description: string, byDefault: string): Option {
  return new Option(flags, description)
    .argParser(parseDuration)
    .default(parseDuration(byDefault), byDefault);
}

/** Writes a time in its two largest units: `2h 5m`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (!Number.isFinite(ms)) return 'for ever';
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  const parts: string[] = [];
  let rest = Math.round(ms / 1_000) * 1_000;
  for (const unit of ['d', 'h', 'm', 's']) {
    const size = unitMs[unit] ?? 1;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join(' ');
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
