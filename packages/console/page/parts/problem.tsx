import { refusalWords } from '../words/refusal-words.ts';

/** What went wrong, said at once to whoever listens. */
export function Problem({ error }: { error: unknown }) {
  return (
    <p className="problem" role="alert">
      {refusalWords(error)}
    </p>
  );
}
