/** An instant to the second, in the time of whoever reads it. */
export function clockTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour12: false });
}

/** An instant with its date, in the time of whoever reads it. */
export function fullTime(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { hour12: false });
}

/** A length of time in its two largest units: `3 d 4 h`, `12 s`, `80 ms`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const parts = units.map(([unit, size], at) => {
    const above = at === 0 ? Infinity : (units[at - 1]?.[1] ?? Infinity);
    return [Math.floor((ms % above) / size), unit] as const;
  });
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;
