/** The checks, in the order of the table. */
export const checkNames = [
  'concurrent duplicates',
  'retry',
  'reordered JSON',
  'second user',
  'empty answer',
  'wrong body',
  'wrong type',
  'hidden member',
  'other operation',
  'no key',
  'in progress',
  'store down',
  'crash',
  'slow owner',
  'failure after the effect',
  'client disconnects',
  'spoofed marker',
  'secrets at rest',
  'late key',
] as const;

export type CheckName = (typeof checkNames)[number];
