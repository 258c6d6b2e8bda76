import { hash } from 'node:crypto';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';

/**
 * The least that a plugin of this kind does for a mutation: reads the key, digests the operation
 * with its variables as an HMAC does, keeps a record in a map before and the answer after, and says
 * so in the body and in a header.
 *
 * It is not safe: it has no lease, no scope, no fencing, no limits, and replays nothing. It shows
 * how much of what the kit costs comes with the task.
 */
export function useBareIdempotency(): Plugin {
  const records = new Map<string, { readonly fingerprint: string; answer?: Buffer }>();
  return {
    onExecute({ args, context, executeFn, setExecuteFn }) {
      const { request, params } = context as YogaInitialContext;
      const key = request.headers.get('idempotency-key');
      if (key === null) return undefined;
      const text = JSON.stringify([params.query, args.variableValues]);
      const record = { fingerprint: hash('sha256', hash('sha256', text)) };
      setExecuteFn(async (executed: ExecutionArgs) => {
        await reserve(key, record);
        return (await executeFn(executed)) as ExecutionResult;
      });
      return {
        async onExecuteDone({ result, setResult }) {
          const answer = JSON.stringify(result);
          await complete(key, Buffer.from(answer));
          setResult(answered(JSON.parse(answer) as ExecutionResult));
        },
      };
    },
  };

  async function reserve(key: string, record: { readonly fingerprint: string }): Promise<void> {
    records.set(key, record);
  }

  async function complete(key: string, answer: Buffer): Promise<void> {
    const record = records.get(key);
    if (record) record.answer = answer;
  }
}

function answered(result: ExecutionResult): ExecutionResult {
  const expiresAt = new Date(Date.now() + 86_400_000);
  const idempotency = { replayed: false, expiresAt: expiresAt.toISOString() };
  const http = { headers: { 'idempotency-expires': expiresAt.toUTCString() } };
  return { ...result, extensions: { idempotency, http } };
}
