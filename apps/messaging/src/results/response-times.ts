/** Ratio of the bounds of a bucket, which limits the error of a median to half of it. */
const RATIO = 1.1;

/** Returns the bucket of a response time. Bucket 0 is up to one second. */
export function bucketOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(1, milliseconds) / 1_000) / Math.log(RATIO)));
}

/**
 * Returns the median of response times in seconds, from their number per bucket. It is the middle of its bucket. Null
 * without times.
 */
export function medianSeconds(times: ReadonlyMap<number, number>): number | null {
  const total = [...times.values()].reduce((sum, count) => sum + count, 0);
  let passed = 0;
  for (const [bucket, count] of [...times].toSorted(([one], [other]) => one - other)) {
    passed += count;
    if (passed * 2 >= total) return bucket === 0 ? 1 : Number(Math.pow(RATIO, bucket - 0.5).toPrecision(4));
  }
  return null;
}
