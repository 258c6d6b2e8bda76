/** A piece of memory outside of the heap that is filled from one end, in steps of eight bytes. */
export class Slab {
  readonly numbers: Float64Array;
  /** The same memory as whole numbers, two to a step. */
  readonly counts: Int32Array;
  /** The same memory again. */
  readonly bytes: Buffer;
  /** Step up to which it is filled. */
  end = 0;
  /** How many records are in it and have not been removed. */
  records = 0;

  constructor() {
    const memory = new ArrayBuffer(slabSteps * stepBytes);
    this.numbers = new Float64Array(memory);
    this.counts = new Int32Array(memory);
    this.bytes = Buffer.from(memory);
  }

  hasRoomFor(bytes: number): boolean {
    return this.end * stepBytes + bytes <= this.bytes.length;
  }
}

export const stepBytes = 8;
/** 256 kB in all: about a thousand records. */
export const slabSteps = 32_768;
