import { expect, test } from 'vitest';
import { createProgram } from '../../packages/cli/src/create-program.ts';
import { documents } from './documents.ts';

/** The part of commander that this needs to know. */
interface Command {
  name(): string;
  readonly commands: readonly Command[];
  readonly options: readonly { readonly long?: string | undefined }[];
}

const program: Command = createProgram({
  context: { stdout: process.stdout, stderr: process.stderr },
} as never);

test('every command of `onceward` that a document mentions exists, with its options', () => {
  const mentioned = documents().flatMap(({ path, text }) =>
    [...text.matchAll(/`(?:npx )?onceward ([a-z][^`]*)`/g)].map(([, words = '']) => ({
      path,
      words,
    })),
  );
  expect(mentioned.length).toBeGreaterThan(5);
  expect(mentioned.filter(({ words }) => !isKnown(words.split(/\s+/), program))).toEqual([]);
});

test('one that does not exist is found', () => {
  expect(isKnown(['settle', '--no-such-option'], program)).toBe(false);
  expect(isKnown(['no-such-command'], program)).toBe(false);
});

function isKnown([word = '', ...rest]: string[], command: Command): boolean {
  const inner = command.commands.find((each) => each.name() === word);
  if (inner) return rest.length === 0 || isKnown(rest, inner);
  const options = [word, ...rest].filter((each) => each.startsWith('--'));
  const known = [...command.options, ...program.options].map(({ long }) => long);
  // What follows a command may be a key; what follows the program must be a command.
  return command !== program && options.every((option) => known.includes(option));
}
