/**
 * The part of a client of node-redis that the store needs: what `createClient()` makes has it, in
 * versions 4 (from 4.2), 5 and 6.
 *
 * The client belongs to whoever opened it: the store never connects or closes it.
 */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  /** Since version 4.2. */
  readonly isReady: boolean;
  readonly options?:
    | {
        readonly disableOfflineQueue?: boolean | undefined;
        /** Of version 6. It is put before keys, but not before those of `sendCommand`. */
        readonly keyPrefix?: string | Buffer | undefined;
        /** Of version 4, in which nothing returns a promise then. */
        readonly legacyMode?: boolean | undefined;
        /** Since version 5.9. */
        readonly maintNotifications?: string | undefined;
      }
    | undefined;
  sendCommand(args: NodeRedisArguments, replies?: NodeRedisReplies): Promise<unknown>;
  multi(): NodeRedisPipeline;
  on(event: 'connect', listener: () => void): unknown;
  /** Never called. But neither a cluster nor a pool nor a sentinel of node-redis has it. */
  select(database: number): Promise<unknown>;
  /** Since version 5. */
  withTypeMapping?(typeMapping: BytesMapping): { multi(): NodeRedisPipeline };
}

/** What node-redis sends: it knows no numbers. */
export type NodeRedisArguments = (string | Buffer)[];

/** How replies are read. Version 4 looks at the one, later versions look at the other. */
export interface NodeRedisReplies {
  returnBuffers?: boolean;
  typeMapping?: BytesMapping;
}

/** Answers need not be text. */
export const asBytes = {
  returnBuffers: true,
  typeMapping: { 36: Buffer },
} satisfies NodeRedisReplies;

/** Bulk strings, which start with `$`, are bytes. */
export interface BytesMapping {
  36: BufferConstructor;
}

/** Several commands of node-redis, by their shape. */
export interface NodeRedisPipeline {
  addCommand(args: NodeRedisArguments): unknown;
  execAsPipeline(): Promise<unknown>;
}
