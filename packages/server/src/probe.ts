/** A named place where a test may crash, stall or interleave an attempt. */
export type ProbePoint =
  | 'before-reserve'
  | 'after-reserve'
  | 'before-execute'
  | 'after-execute'
  | 'before-complete'
  | 'after-complete'
  | 'before-renew';

/** Absent in production. Tests pass one in; there is no global to forget to reset. */
export type Probe = (point: ProbePoint) => void | Promise<void>;
