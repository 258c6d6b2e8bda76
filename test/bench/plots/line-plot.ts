import { classOf, escapeText, margin, sayCount, svgPage } from './svg-page.ts';

export interface LinePlot {
  readonly title: string;
  readonly subtitle: string;
  readonly lines: readonly PlottedLine[];
}

export interface PlottedLine {
  readonly contestant: string;
  /** What is written at its end. */
  readonly label: string;
  /** By concurrency. */
  readonly points: readonly (readonly [concurrency: number, perSecond: number])[];
}

/** Throughput by concurrency. Logarithmic, so that twice as many is as far everywhere. */
export function linePlot({ title, subtitle, lines }: LinePlot): string {
  const concurrencies = [
    ...new Set(lines.flatMap(({ points }) => points.map(([at]) => at))),
  ].toSorted((one, other) => one - other);
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const ticks = ticksBetween(Math.min(...values), Math.max(...values));
  const [lowest = 1, highest = 10] = [ticks[0], ticks.at(-1)];
  const x = (concurrency: number) =>
    left + ((right - left) * concurrencies.indexOf(concurrency)) / (concurrencies.length - 1);
  const y = (value: number) =>
    bottom - ((bottom - top) * Math.log(value / lowest)) / Math.log(highest / lowest);

  const labels = apart(
    lines.map(({ points }) => y(points.at(-1)?.[1] ?? lowest)),
    18,
  );
  return svgPage({
    ...{ width, height, title, subtitle },
    body: [
      ...ticks.flatMap((tick) => [
        `<line class="grid" x1="${left}" x2="${right}" y1="${round(y(tick))}" y2="${round(y(tick))}"/>`,
        `<text class="tick" x="${left - 10}" y="${round(y(tick) + 4)}" text-anchor="end">${sayCount(tick)}</text>`,
      ]),
      ...concurrencies.map(
        (at) =>
          `<text class="tick" x="${round(x(at))}" y="${bottom + 22}" text-anchor="middle">${at}</text>`,
      ),
      `<text class="subtitle" x="${(left + right) / 2}" y="${bottom + 42}" text-anchor="middle">at a time</text>`,
      ...lines.flatMap(({ contestant, label, points }, index) => {
        const kind = classOf(contestant);
        const path = points.map(([at, value]) => `${round(x(at))},${round(y(value))}`);
        return [
          `<polyline class="line ${kind}" points="${path.join(' ')}"/>`,
          ...points.map(
            ([at, value]) =>
              `<circle class="dot ${kind}" cx="${round(x(at))}" cy="${round(y(value))}" r="3.5"/>`,
          ),
          `<text class="${kind}" x="${right + 12}" y="${round((labels[index] ?? 0) + 4)}">${escapeText(label)}</text>`,
        ];
      }),
    ],
  });
}

const [width, height] = [720, 400];
const [left, right, top, bottom] = [margin + 52, width - 190, 76, height - 60];

/** 1, 2 and 5 times powers of ten, around what there is. */
export function ticksBetween(low: number, high: number): number[] {
  const steps: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high * 10; power *= 10) {
    steps.push(power, power * 2, power * 5);
  }
  const first = steps.findLastIndex((step) => step <= low);
  const last = steps.findIndex((step) => step >= high);
  return steps.slice(Math.max(first, 0), last + 1);
}

/** The same places, moved as little as it takes for none to be nearer to the next than so much. */
export function apart(places: readonly number[], distance: number): number[] {
  const order = places.map((_, index) => index).toSorted((a, b) => places[a]! - places[b]!);
  const moved = [...places];
  for (let sweep = 0; sweep < 50; sweep++) {
    for (let at = 1; at < order.length; at++) {
      const [above, below] = [order[at - 1]!, order[at]!];
      const short = distance - (moved[below]! - moved[above]!);
      if (short <= 0) continue;
      moved[above]! -= short / 2;
      moved[below]! += short / 2;
    }
  }
  return moved;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
