import { createHash } from 'node:crypto';
import type { RedisArgument } from './redis-client.ts';
import type { ResolvedRedisStoreOptions } from './redis-store-options.ts';
import type { RedisCommand } from './send.ts';

export interface ScriptOptions {
  /** Whether losing its effect in a fail-over would break a promise. @defaultValue `true` */
  replicated?: boolean;
  /** What Redis does while it is full: `deny` refuses to run the script. @defaultValue `'allow'` */
  whenFull?: 'allow' | 'deny';
  /** A command that does the same to one record, and cheaper. */
  alone?: (call: ScriptCall) => RedisCommand;
  /** Lua that is read once for all records of a call: what it defines, the body may use. */
  words?: string;
}

/**
 * A constant Lua script about one record, KEYS[1]. Values reach it only through KEYS and ARGV.
 *
 * It is sent for many records at once, which costs hardly more than for one: whoever calls another
 * process pays for the call. What it says about one of them, an error included, is for that one.
 */
export class Script {
  readonly lua: string;
  readonly replicated: boolean;
  readonly alone: ((call: ScriptCall) => RedisCommand) | undefined;
  #sha: string | undefined;

  constructor(
    body: string,
    { replicated = true, whenFull = 'allow', alone, words = '' }: ScriptOptions = {},
  ) {
    this.lua = forEachRecord(body, words, whenFull);
    this.replicated = replicated;
    this.alone = alone;
  }

  /** What Redis calls the script once it has seen it. */
  get sha(): string {
    return (this.#sha ??= createHash('sha1').update(this.lua).digest('hex'));
  }
}

export interface ScriptCall {
  /** The record. In a Cluster, a script is about one only. */
  readonly key: string;
  /** As many in every call of one script. */
  readonly args: readonly RedisArgument[];
}

/** Runs a script about one record, perhaps together with others. */
export function runScript(
  script: Script,
  call: ScriptCall,
  redis: ResolvedRedisStoreOptions,
): Promise<unknown> {
  return (script.replicated ? redis.replicated : redis.plain).run(script, call);
}

/** For scripts that answer with one of a few words. */
export async function runForWord<Word extends string>(
  script: Script,
  call: ScriptCall,
  redis: ResolvedRedisStoreOptions,
): Promise<Word> {
  return String(await runScript(script, call, redis)) as Word;
}

/**
 * The body sees one record after the other in the same two tables, because to make tables and
 * functions takes Lua as long as to use them. `false` instead of `nil`, which would end the list of
 * replies.
 */
function forEachRecord(body: string, words: string, whenFull: 'allow' | 'deny'): string {
  return `#!lua${whenFull === 'allow' ? ' flags=allow-oom' : ''}
local keys, args, width = KEYS, ARGV, #ARGV / #KEYS
local KEYS, ARGV = {}, {}
${words}
local function run()
${body}
end

local replies = {}
for at = 1, #keys do
  KEYS[1] = keys[at]
  for column = 1, width do ARGV[column] = args[(at - 1) * width + column] end
  replies[at] = run() or false
end
return replies
`;
}
