import { randomFillSync } from 'node:crypto';
import { TypeID } from 'typeid-js';

type Prefix = 'evt' | 'dlv';

/** Twelve bits of a UUIDv7 count within a millisecond. */
const COUNTER_END = 0x1000;

/** Ids that ascend strictly within this process, also within a millisecond: what was recorded first has the lower id. */
export class OrderedIds {
  private millisecond = 0;
  private counter = 0;
  private readonly pool = Buffer.alloc(4096);
  private used = this.pool.length;

  constructor(private readonly clock: () => number = Date.now) {}

  next(prefix: Prefix): string {
    const now = this.clock();
    if (now > this.millisecond) [this.millisecond, this.counter] = [now, 0];
    else if ((this.counter += 1) === COUNTER_END) [this.millisecond, this.counter] = [this.millisecond + 1, 0];
    const bytes = this.sixteenRandomBytes();
    bytes.writeUIntBE(this.millisecond, 0, 6);
    bytes.writeUInt16BE(0x7000 | this.counter, 6);
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return TypeID.fromUUIDBytes(prefix, bytes).toString();
  }

  /** Asking the system for many at once is much cheaper than for a few each time. */
  private sixteenRandomBytes(): Buffer {
    if (this.used === this.pool.length) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    return this.pool.subarray(this.used, (this.used += 16));
  }
}

/** The lowest id of a moment: a row's id is not less than it exactly when the row was made then or later. */
export function firstIdAt(prefix: Prefix, time: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, time.getTime()), 0, 6);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}
