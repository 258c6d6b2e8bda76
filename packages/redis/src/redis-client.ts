/** What may be sent to Redis. */
export type RedisArgument = string | Buffer | number;

/**
 * The part of a client that the store needs: `Redis` and `Cluster` of ioredis have it.
 *
 * The client belongs to whoever opened it: the store never connects or closes it.
 */
export interface RedisClient {
  /** Sends any command. Bulk replies come back as bytes, because answers need not be text. */
  callBuffer(command: string, ...args: RedisArgument[]): Promise<unknown>;
  /** Sends several commands to one server, in order. Used only with `waitForReplicas`. */
  pipeline(): RedisPipeline;
  /** A Cluster has several masters; maintenance and `verify` visit each. */
  nodes?(role: 'master' | 'all'): RedisClient[];
  /** Learns anew which node of a Cluster has which slot. */
  refreshSlotsCache?(learnt?: (error?: Error | null) => void): void;
  readonly options?: {
    readonly keyPrefix?: string | Buffer | undefined;
    readonly host?: string | undefined;
    readonly port?: number | undefined;
  };
}

/** A pipeline of ioredis, by its shape. */
export interface RedisPipeline {
  callBuffer(command: string, ...args: RedisArgument[]): unknown;
  exec(): Promise<[error: Error | null, reply: unknown][] | null>;
}
