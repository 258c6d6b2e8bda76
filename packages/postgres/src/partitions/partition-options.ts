/** How the table of records is laid out. */
export interface LayoutOptions {
  /**
   * `records` is divided by the time of its keys, so that forgetting them is dropping a table.
   *
   * `false` leaves it one plain table, from which records are deleted one by one. Tables that are
   * there stay as they are, unless you ask for partitions: then the next keys get them.
   *
   * @defaultValue a partition for each day; what is there stays
   */
  partitions?: PartitionOptions | false;
}

/** How `records` is divided. */
export interface PartitionOptions {
  /**
   * How much time one partition spans. Chosen once, when the tables are made: by another width, a
   * key would be looked for in another partition.
   *
   * Pruning frees space a partition at a time, and each server keeps prepared statements for every
   * partition it uses: hours suit a busy table, minutes suit none.
   *
   * @defaultValue `86_400_000` (a day)
   */
  widthMs?: number;
  /**
   * How old the youngest key of a partition gets before the partition is dropped. Make it
   * `keyRetentionMs` plus `maxClockSkewMs` of your engine.
   *
   * Nothing is forgotten too early if it is less, or if one mutation keeps its keys for longer: what
   * must stay is moved before a partition is dropped. But moving is writing, so it should be rare.
   *
   * @defaultValue `605_100_000` (a week and five minutes)
   */
  horizonMs?: number;
}

export type ResolvedPartitions = Readonly<Required<PartitionOptions>>;

export function resolvePartitions({ partitions }: LayoutOptions): ResolvedPartitions | false {
  if (partitions === false) return false;
  const options = partitions ?? {};
  return {
    widthMs: wholeMs('widthMs', options.widthMs ?? 86_400_000),
    horizonMs: wholeMs('horizonMs', options.horizonMs ?? 605_100_000),
  };
}

function wholeMs(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new TypeError(
    `Expected \`partitions.${name}\` to be a positive whole number of milliseconds`,
  );
}
