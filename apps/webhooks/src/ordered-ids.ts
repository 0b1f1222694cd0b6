import { randomFillSync } from 'node:crypto';
import { ID_BYTES, idOf } from '@switchboard/contracts';

type Prefix = 'evt' | 'dlv';

/** Number of ids per millisecond: a UUIDv7 has a twelve-bit counter. */
const COUNTER_END = 0x1000;

/** Generates ids that strictly increase within this process, even within a millisecond. */
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
    bytes.writeUInt16BE(this.counter, 6);
    return idOf(prefix, this.millisecond, bytes);
  }

  /**
   * Returns 16 random bytes from a pool, because one large request to the system is much cheaper than many small ones.
   */
  private sixteenRandomBytes(): Buffer {
    if (this.used === this.pool.length) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    return this.pool.subarray(this.used, (this.used += ID_BYTES));
  }
}
