import {
  type Channel,
  describeFailure,
  HttpStatusError,
  type JournalRecord,
} from '@onceward/client';
import { IdempotencyError } from '@onceward/core';

export interface DeviceChannelOptions {
  readonly tenant: string;
  /** Where to send it to, this time. */
  readonly port: () => number;
  readonly onSending: (record: JournalRecord) => void;
  /** The answer is there, and nobody knows it yet. */
  readonly onAnswer: () => void;
}

/** Sends records to the shop with `fetch`, as an application does that has no client library. */
export function deviceChannel(options: DeviceChannelOptions): Channel {
  return {
    async send(input, attempt, record) {
      options.onSending(record);
      const response = await fetch(`http://127.0.0.1:${options.port()}/${record.operation}`, {
        method: 'POST',
        headers: {
          ...attempt.headers(),
          'content-type': 'application/json',
          'x-tenant': options.tenant,
        },
        body: JSON.stringify(input),
        signal: attempt.signal,
      });
      const text = await response.text();
      if (response.ok || response.status === 402) options.onAnswer();
      if (response.ok) return text;
      const refusal = IdempotencyError.fromJSON(parsed(text));
      // Journals rely on servers that agree about the time (decision 47), and these do not. This
      // device's clock is right: whoever says otherwise has given no answer.
      if (refusal?.code === 'IDEMPOTENCY_KEY_FUTURE')
        throw new Error('The server’s clock is behind');
      throw refusal ?? new HttpStatusError(response);
    },
    describeFailure,
    preserve: ({ message }: Error) => ({ message }),
    revive: ({ message }: { message: string }) => new Error(message),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
