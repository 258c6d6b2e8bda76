import { IdempotencyError } from '@onceward/core';
import type { TrpcConfig } from './trpc-config.ts';

/**
 * The input as it came over the wire, as far as a procedure can know: tRPC hands it out after the
 * transformer has read it, so the transformer writes it once more.
 */
export function wireInput(input: unknown, { transformer }: TrpcConfig): unknown {
  if (input instanceof ReadableStream) throw streamInput();
  // What is not JSON never went through the transformer.
  const asSent = input instanceof FormData || input instanceof Blob || ArrayBuffer.isView(input);
  return asSent ? input : (transformer.input.serialize(input) as unknown);
}

/** To read it here would leave nothing for the handler. */
function streamInput(): IdempotencyError {
  return new IdempotencyError(
    'IDEMPOTENCY_INPUT_INVALID',
    { problem: 'not-json' },
    {
      message:
        'A stream has no fingerprint. Send the bytes as FormData, or let `select` of the guard ' +
        'name what identifies the upload.',
    },
  );
}
