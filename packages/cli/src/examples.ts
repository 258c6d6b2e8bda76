/** Examples below the help of a command: each with what it is for. */
export function examples(lines: Readonly<Record<string, string>>): string {
  const shown = Object.entries(lines).map(([command, purpose]) => `  # ${purpose}\n  $ ${command}`);
  return `\nExamples:\n${shown.join('\n')}`;
}
