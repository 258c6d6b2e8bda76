/** How often a leader shows that it is alive. */
export const heartbeatMs = 5_000;

/** How long it may be silent before another tab takes over. */
export const patienceMs = 15_000;
