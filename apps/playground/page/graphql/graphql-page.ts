import { mintKey } from '@onceward/core';
import { find } from './find.ts';

const form = find('#operation', HTMLFormElement);
const key = find('input[name="key"]', HTMLInputElement);
const newKey = () => (key.value = mintKey());

newKey();
find('#new-key', HTMLButtonElement).addEventListener('click', newKey);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const answer = find('#answer', HTMLPreElement);
  answer.textContent = '…';
  void send().then(
    (told) => (answer.textContent = told),
    (error: unknown) => (answer.textContent = `No answer. ${String(error)}`),
  );
});

/** Sends what was typed, and tells the answer as it came. */
async function send(): Promise<string> {
  const variables: unknown = JSON.parse(text('variables') || '{}');
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${field('user')}`,
      'x-fault': field('fault'),
      ...(field('key') && { 'idempotency-key': `"${field('key')}"` }),
    },
    body: JSON.stringify({ query: text('query'), variables }),
  });
  const shown = ['idempotent-replayed', 'idempotency-expires', 'retry-after'].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return [response.status, ...shown, '', pretty(await response.text())].join('\n');
}

function field(name: string): string {
  return find(`input[name="${name}"]`, HTMLInputElement).value.trim();
}

function text(name: string): string {
  return find(`textarea[name="${name}"]`, HTMLTextAreaElement).value.trim();
}

function pretty(answer: string): string {
  return answer.startsWith('{') ? JSON.stringify(JSON.parse(answer), null, 2) : answer;
}
