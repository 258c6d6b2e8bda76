/** How the column `state` spells a job's state. Stored: never change a number. */
export const jobState = { waiting: 1, running: 2, done: 3, dead: 4, discarded: 5 } as const;

/** The state of a job. */
export type JobState = keyof typeof jobState;

/**
 * How the column `turn` spells whether a job may run as far as its lane goes. Stored.
 *
 *   undecided ──▶ later ──▶ now ──▶ over
 *       └───────────────────▲
 *
 * A job in no lane starts at `now`. One in a lane is written by transactions that know nothing of
 * each other, so a relay decides: at any time at most one unfinished job of a lane is at `now`, and
 * a unique index holds that up. When it finishes, the relay hands the lane on to the next, which is a
 * statement of its own: until then the finished one stays at `now`, for any relay to find.
 */
export const turn = { undecided: 0, later: 1, now: 2, over: 3 } as const;
