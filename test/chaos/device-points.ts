/** Where a device dies: around what its journal writes down, in the order of an intent's life. */
export const devicePoints = [
  'journal-before-persist',
  'journal-torn-write',
  'response-before-settle',
  'settle-before-ack',
  'ack-before-remove',
] as const;

export type DevicePoint = (typeof devicePoints)[number];
