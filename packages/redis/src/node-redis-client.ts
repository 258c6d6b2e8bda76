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
  /** Never called. But all of them have it, and so one can tell where a client comes from. */
  multi(): unknown;
  on(event: 'connect', listener: () => void): unknown;
  /** Never called. But neither a cluster nor a pool nor a sentinel of node-redis has it. */
  select(database: number): Promise<unknown>;
}

/** What node-redis sends: it knows no numbers. */
export type NodeRedisArguments = (string | Buffer)[];

/** How a command is sent and its reply read: as bytes by the one in version 4, by the other later. */
export interface NodeRedisReplies {
  returnBuffers?: boolean;
  /** Bulk strings, which start with `$`, are bytes. */
  typeMapping?: { 36: BufferConstructor };
  /** Whether it is sent before all that waits. */
  asap?: boolean;
}

/** Answers need not be text. */
export const asBytes = {
  returnBuffers: true,
  typeMapping: { 36: Buffer },
} satisfies NodeRedisReplies;
