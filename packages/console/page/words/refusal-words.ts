import { AskError } from '../api/ask.ts';

/** What went wrong, and what to do about it, for a person. */
export function refusalWords(error: unknown): string {
  if (!(error instanceof AskError)) return 'Something in this page went wrong. Reload it.';
  if (error.code === 'bad-request') return fieldWords[error.field ?? ''] ?? words['bad-request'];
  return words[error.code];
}

const words: Readonly<Record<AskError['code'], string>> = {
  'audit-failed': 'Nothing was changed: the audit could not be written, so it was not done.',
  'bad-request': 'The console does not understand this.',
  forbidden: 'You may not do this.',
  'not-found': 'It is not there. It may be past its retention, or never have arrived.',
  'not-json': 'The console does not understand this.',
  'not-same-origin': 'The console refused a request that seems to come from another site.',
  'not-signed-in': 'You are not signed in any more.',
  'store-failed': 'The store failed. The log of the server knows more.',
  'token-refused': 'The console does not recognise this page any more. Reload it.',
  'too-large': 'That is too long.',
  'too-slow': 'The database gave up, because it took too long. Choose a shorter span of time.',
  unavailable: 'This store cannot tell.',
  unreachable: 'The server does not answer.',
  'wrong-method': 'The console does not understand this.',
};

const fieldWords: Readonly<Record<string, string>> = {
  evidence: 'Say what was found, and where. What begins with { or [ has to be valid JSON.',
  reason: 'Say why, in at most 500 characters.',
  key: 'That is no key: a UUID v7, or 16 to 255 printable ASCII characters.',
  scope: 'This store finds a key only together with its scope.',
  value: 'The answer has to be valid JSON.',
};
