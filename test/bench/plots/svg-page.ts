/** A drawing that is readable on light and on dark pages, with the reader's own letters. */
export interface SvgPage {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** What the axis is about, below the title. */
  readonly subtitle: string;
  readonly body: readonly string[];
}

export function svgPage({ width, height, title, subtitle, body }: SvgPage): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(title)}">`,
    `<style>${style}</style>`,
    `<text class="title" x="${margin}" y="30">${escapeText(title)}</text>`,
    `<text class="subtitle" x="${margin}" y="50">${escapeText(subtitle)}</text>`,
    ...body,
    '</svg>',
  ].join('\n')}\n`;
}

/** Left and right of everything. */
export const margin = 24;

/** The kit is in colour; what it is compared with is grey, and told apart by its line. */
export function classOf(contestant: string): string {
  if (contestant === 'kit') return 'kit';
  return contestant === 'limit' ? 'limit' : 'other';
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** `12 k`, `850`. */
export function sayCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  const thousands = count / 1_000;
  return `${thousands < 10 ? Number(thousands.toFixed(1)) : Math.round(thousands)} k`;
}

const style = `
text { font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #57606a; }
.title { font-size: 16px; font-weight: 600; fill: #1f2328; }
.subtitle, .tick { font-size: 12px; }
.tick, .value { font-variant-numeric: tabular-nums; }
.grid { stroke: #d0d7de; stroke-width: 1; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.line.kit { stroke: #0969da; stroke-width: 3; }
.line.other { stroke: #8c959f; }
.line.limit { stroke: #8c959f; stroke-dasharray: 2 5; }
.dot.kit, .bar.kit { fill: #0969da; }
.dot.other, .dot.limit, .bar.other { fill: #8c959f; }
.bar.limit { fill: #d0d7de; }
text.kit { fill: #0969da; font-weight: 600; }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1; }
  .title { fill: #f0f6fc; }
  .grid { stroke: #3d444d; }
  .line.kit { stroke: #4493f8; }
  .dot.kit, .bar.kit, text.kit { fill: #4493f8; }
  .line.other, .line.limit { stroke: #656c76; }
  .dot.other, .dot.limit, .bar.other { fill: #656c76; }
  .bar.limit { fill: #3d444d; }
}
`;
