import { classOf, escapeText, margin, sayCount, svgPage } from './svg-page.ts';

export interface BarPlot {
  readonly title: string;
  readonly subtitle: string;
  readonly groups: readonly BarGroup[];
}

export interface BarGroup {
  readonly label: string;
  readonly bars: readonly {
    readonly contestant: string;
    readonly label: string;
    readonly value: number;
  }[];
}

/** Bars beside each other within groups, each with its number. */
export function barPlot({ title, subtitle, groups }: BarPlot): string {
  const largest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const body: string[] = [];
  let y = 80;
  for (const { label, bars } of groups) {
    body.push(`<text x="${margin}" y="${y + 12}">${escapeText(label)}</text>`);
    for (const bar of bars) {
      const kind = classOf(bar.contestant);
      const length = Math.max(1, Math.round((bar.value / largest) * (right - left)));
      body.push(
        `<rect class="bar ${kind}" x="${left}" y="${y}" width="${length}" height="${thickness}" rx="2"/>`,
        `<text class="value ${kind}" x="${left + length + 8}" y="${y + 12}">${sayCount(bar.value)} ${escapeText(bar.label)}</text>`,
      );
      y += thickness + 4;
    }
    y += 14;
  }
  return svgPage({ width, height: y + 6, title, subtitle, body });
}

const width = 720;
const thickness = 16;
const [left, right] = [margin + 206, width - 170];
