import { createHash } from 'node:crypto';
import type { RedisArgument } from './redis-client.ts';
import { RedisStoreError } from './redis-store-error.ts';
import type { ResolvedRedisStoreOptions } from './redis-store-options.ts';
import { send, sendReplicated } from './send.ts';

export interface ScriptOptions {
  /** Whether losing its effect in a fail-over would break a promise. @defaultValue `true` */
  replicated?: boolean;
}

/** A constant Lua script about one record. Values reach it only through KEYS and ARGV. */
export class Script {
  readonly lua: string;
  readonly replicated: boolean;
  #sha: string | undefined;

  constructor(lua: string, { replicated = true }: ScriptOptions = {}) {
    this.lua = lua;
    this.replicated = replicated;
  }

  /** What Redis calls the script once it has seen it. */
  get sha(): string {
    return (this.#sha ??= createHash('sha1').update(this.lua).digest('hex'));
  }
}

export interface ScriptCall {
  /** The one key: every script works on a single record, so that a Cluster can run it. */
  readonly key: string;
  readonly args?: readonly RedisArgument[];
}

/** Runs a script by its name, and sends its text only to a server that does not know it yet. */
export async function runScript(
  script: Script,
  { key, args = [] }: ScriptCall,
  redis: ResolvedRedisStoreOptions,
): Promise<unknown> {
  const sendScript = script.replicated ? sendReplicated : send;
  try {
    return await sendScript(['evalsha', script.sha, 1, key, ...args], redis);
  } catch (error) {
    if (!(error instanceof RedisStoreError) || error.code !== 'NOSCRIPT') throw error;
    return sendScript(['eval', script.lua, 1, key, ...args], redis);
  }
}

/** For scripts that answer with one of a few words. */
export async function runForWord<Word extends string>(
  script: Script,
  call: ScriptCall,
  redis: ResolvedRedisStoreOptions,
): Promise<Word> {
  return String(await runScript(script, call, redis)) as Word;
}
