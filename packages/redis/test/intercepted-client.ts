import type { RedisArgument, RedisClient, RedisPipeline } from '../src/index.ts';

export type Call = (command: string, ...args: RedisArgument[]) => Promise<unknown>;

/** A client whose commands go through `intercept`, which may count, change or refuse them. */
export function interceptedClient(
  client: RedisClient,
  intercept: (call: readonly [string, ...RedisArgument[]], send: Call) => Promise<unknown>,
): RedisClient {
  const send: Call = (command, ...args) => client.callBuffer(command, ...args);
  return {
    callBuffer: (command, ...args) => intercept([command, ...args], send),
    pipeline: (): RedisPipeline => client.pipeline(),
  };
}
