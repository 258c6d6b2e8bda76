/**
 * What earlier attempts finished, as the store keeps it: entries one after the other.
 *
 *   ordinal (2) | state (1) | name length (2) | name | value length (4) | value
 */
export interface StepEntry {
  /** The position in which the handler asked for the step, from 0. */
  readonly ordinal: number;
  readonly name: string;
  /** `undefined` when the step took effect but its value could not be kept. */
  readonly value: Uint8Array | undefined;
}

export function encodeStep({ ordinal, name, value }: StepEntry): Uint8Array {
  const nameBytes = Buffer.from(name, 'utf8');
  const head = Buffer.alloc(5);
  head.writeUInt16BE(ordinal, 0);
  head.writeUInt8(value ? kept : lost, 2);
  head.writeUInt16BE(nameBytes.length, 3);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value?.length ?? 0, 0);
  return Buffer.concat([head, nameBytes, length, value ?? Buffer.alloc(0)]);
}

export function decodeSteps(progress: Uint8Array): StepEntry[] {
  const bytes = Buffer.from(progress);
  const entries: StepEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const ordinal = bytes.readUInt16BE(at);
    const state = bytes.readUInt8(at + 2);
    const nameEnd = at + 5 + bytes.readUInt16BE(at + 3);
    const valueEnd = nameEnd + 4 + bytes.readUInt32BE(nameEnd);
    // `subarray` would hand out what is left of it, and half a number is another number.
    if (valueEnd > bytes.length) throw new RangeError('The log of steps was cut off');
    const name = bytes.toString('utf8', at + 5, nameEnd);
    const value = state === kept ? bytes.subarray(nameEnd + 4, valueEnd) : undefined;
    entries.push({ ordinal, name, value });
    at = valueEnd;
  }
  return entries;
}

const lost = 0;
const kept = 1;
