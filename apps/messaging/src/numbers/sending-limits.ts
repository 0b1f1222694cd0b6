/**
 * Messages per second that upstream accepts from a number, by throughput level. Unknown levels use the standard
 * throughput.
 */
const THROUGHPUT: Record<string, number> = { HIGH: 1_000 };
const STANDARD_THROUGHPUT = 80;
const TIER = /^TIER_([0-9]{1,6})(K?)$/;

/** Returns the messages per second that upstream accepts from a number. */
export function throughputOf(level: string | null): number {
  return THROUGHPUT[level ?? ''] ?? STANDARD_THROUGHPUT;
}

/** Converts a limit such as `TIER_10K` to contacts per 24 hours; null if unlimited or unknown. */
export function messagingLimitOf(tier: string | null): number | null {
  const [, count, thousands] = TIER.exec(tier ?? '') ?? [];
  return count === undefined ? null : Number(count) * (thousands ? 1_000 : 1);
}
