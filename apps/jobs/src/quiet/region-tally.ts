import { regionOf } from './regions';
import type { RegionCount } from './waiting';

/** Counts the accepted recipients of a job by region. */
export class RegionTally {
  private readonly pending = new Map<string, number>();

  add(rows: readonly { phone: string; fault: object | null }[]): void {
    for (const { phone, fault } of rows) {
      if (fault) continue;
      const region = regionOf(phone);
      this.pending.set(region, (this.pending.get(region) ?? 0) + 1);
    }
  }

  get counts(): RegionCount[] {
    return [...this.pending].map(([region, pending]) => ({ region, pending }));
  }
}
