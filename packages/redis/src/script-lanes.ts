import { gather } from './gather.ts';
import type { RedisArgument, RedisClient } from './redis-client.ts';
import { RedisStoreError, withoutArguments } from './redis-store-error.ts';
import type { Script, ScriptCall } from './script.ts';
import { type RedisCommand, type ReplicaDemand, send, sendReplicated } from './send.ts';

/** Runs scripts for many records at once, where the server can. */
export class ScriptLanes {
  readonly #client: RedisClient;
  readonly #demand: ReplicaDemand | undefined;
  readonly #lanes = new Map<Script, (call: ScriptCall) => Promise<unknown>>();
  /** A script of a Cluster is about one record: others may be on another node. */
  #together: boolean;

  constructor(client: RedisClient, demand?: ReplicaDemand) {
    this.#client = client;
    this.#demand = demand;
    this.#together = !client.nodes;
  }

  run(script: Script, call: ScriptCall): Promise<unknown> {
    if (!this.#together) return this.#runAlone(script, call);
    let lane = this.#lanes.get(script);
    if (!lane) {
      lane = gather((calls) => this.#runTogether(script, calls), this.#options);
      this.#lanes.set(script, lane);
    }
    return lane(call);
  }

  /** WAIT holds up its connection, so that one for many is worth waiting for. */
  get #options() {
    return this.#demand ? { most: 256, oneAtATime: true } : { most: 32, oneAtATime: false };
  }

  async #runTogether(script: Script, calls: readonly ScriptCall[]): Promise<readonly unknown[]> {
    const [first] = calls;
    if (first && calls.length === 1) return [await this.#runAlone(script, first)];
    try {
      return repliesOf(await this.#call(script, calls));
    } catch (error) {
      if (!(error instanceof RedisStoreError) || error.code !== 'CROSSSLOT') throw error;
      // One node of a Cluster, by a client that does not know it. Nothing was done.
      this.#together = false;
      return Promise.all(
        calls.map((call) => this.#runAlone(script, call).catch((alone: Error) => alone)),
      );
    }
  }

  async #runAlone(script: Script, call: ScriptCall): Promise<unknown> {
    if (script.alone) return this.#send(script.alone(call));
    const [reply] = repliesOf(await this.#call(script, [call]));
    if (reply instanceof Error) throw reply;
    return reply;
  }

  /** By the script's name; its text is sent only to a server that does not know it yet. */
  async #call(script: Script, calls: readonly ScriptCall[]): Promise<unknown> {
    const rest: RedisArgument[] = [calls.length];
    for (const { key } of calls) rest.push(key);
    for (const { args } of calls) rest.push(...args);
    try {
      return await this.#send(['evalsha', script.sha, ...rest]);
    } catch (error) {
      if (!(error instanceof RedisStoreError) || error.code !== 'NOSCRIPT') throw error;
      return this.#send(['eval', script.lua, ...rest]);
    }
  }

  #send(command: RedisCommand): Promise<unknown> {
    return this.#demand
      ? sendReplicated(command, this.#client, this.#demand)
      : send(command, this.#client);
  }
}

function repliesOf(reply: unknown): unknown[] {
  return (reply as unknown[]).map((one) => (one instanceof Error ? withoutArguments(one) : one));
}
