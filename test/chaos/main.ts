import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type ChaosReport, runChaos } from './chaos.ts';
import { faultsOf, isClean, reportText, unreached } from './report-text.ts';

/** Runs chaos for so many minutes, and says what came of it. */
export async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '1' },
      seed: { type: 'string' },
      report: { type: 'string' },
    },
  });
  const durationMs = Number(values.minutes) * 60_000;
  if (!(durationMs > 0)) throw new TypeError('Expected --minutes to be more than 0');
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const report = await runChaos({
    durationMs,
    seed,
    onProgress: ({ phase, share, intents, faults }) =>
      drawProgress(share, `${phase}: ${intents} intents, ${faults} faults`),
  });
  const text = reportText(report);
  const command = `npm run chaos -- --minutes ${values.minutes} --seed ${seed}`;
  console.log(`\n\n${text}\n\n${command}\n`);
  if (values.report) writeFileSync(values.report, reportDocument(text, command, missed(report)));
  // A long run that did not come everywhere has not shown what it is there for.
  return isClean(report) && (report.seconds < 1_200 || unreached(report).length === 0);
}

/** Which of the bars of the long run this one has missed. */
function missed(report: ChaosReport): string {
  const bars = [
    { asked: 1_200, got: report.seconds, of: 'seconds' },
    { asked: 100_000, got: report.intents, of: 'intents' },
    { asked: 10_000, got: faultsOf(report), of: 'faults' },
  ];
  const words = bars
    .filter(({ asked, got }) => got < asked)
    .map(({ asked, got, of }) => `${got} of ${asked} ${of}`);
  return words.length > 0 ? `This run missed: ${words.join(', ')}.` : 'This run met them.';
}

/** The report as a page of the documentation. */
function reportDocument(text: string, command: string, bars: string): string {
  const [date = ''] = new Date().toISOString().split('T');
  return `# A run of chaos

[test/chaos](../test/chaos/README.md) wrote this page, on ${date}, on a machine with ${cpus().length} cores whose load
was ${loadavg()[1]?.toFixed(1)} when it ended:

\`\`\`sh
${command}
\`\`\`

Asked for are at least 100,000 intents and 10,000 faults in 20 minutes, and zeros in the second block. What
did not happen in N tries happens in fewer than 3/N of them, with 95 % confidence; more is not known.

${bars}

\`\`\`text
${text}
\`\`\`
`;
}

/** A bar that moves; where nothing can move, a line every ten seconds. */
function drawProgress(share: number, words: string): void {
  if (!process.stdout.isTTY) {
    const second = Math.round(performance.now() / 1_000);
    if (second % 10 === 0) console.log(`${Math.round(share * 100)} %  ${words}`);
    return;
  }
  const width = 40;
  const full = Math.min(width, Math.round(share * width));
  process.stdout.write(`\r${'█'.repeat(full)}${'░'.repeat(width - full)}  ${words}`);
}
