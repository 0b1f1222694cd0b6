/** Business number with its limits, as messaging last reported them. */
export interface LimitedNumber {
  phoneNumber: string;
  /** Messages per second that the upstream platform accepts from the number. */
  throughput: number;
  /** Portfolio whose limit the number shares. Null if unknown. */
  portfolio: string | null;
  /** Contacts that the portfolio may message within 24 hours. Null for no limit. */
  messagingLimit: number | null;
  /** Remaining part of the limit at the time of the last report. Null for no limit. */
  leftToday: number | null;
  /** Recipients released to the number since the last report. */
  releasedSince: number;
}

/** One of several numbers of a job, with the recipients released to it. */
export interface SpreadNumber extends LimitedNumber {
  /** Recipients of the job that were released to the number. */
  taken: number;
  /** Recipients of the job that were released to the number and have no result yet. */
  released: number;
}

/**
 * Returns the remaining limit by phone number, which the numbers of a portfolio share. Omits numbers without a limit.
 */
export function leftOf(numbers: readonly LimitedNumber[]): Map<string, number> {
  const keyOf = ({ portfolio, phoneNumber }: LimitedNumber): string => portfolio ?? phoneNumber;
  const released = new Map<string, number>();
  for (const number of numbers) released.set(keyOf(number), (released.get(keyOf(number)) ?? 0) + number.releasedSince);
  return new Map(
    numbers.flatMap((number) =>
      number.leftToday === null
        ? []
        : [[number.phoneNumber, Math.max(number.leftToday - (released.get(keyOf(number)) ?? 0), 0)]],
    ),
  );
}

/**
 * Returns how many recipients of a job may be released to the number now. The share of each number is proportional to
 * its throughput. A number that has used up its share gets at most one batch from the shares of slower numbers. A
 * number that has reached its limit gets none while another one can send. If all have reached it, the limits are
 * ignored, and the upstream platform decides.
 */
export function spreadShare(
  phoneNumber: string,
  {
    numbers,
    left,
    pending,
    roundWorth,
  }: { numbers: readonly SpreadNumber[]; left: ReadonlyMap<string, number>; pending: number; roundWorth: number },
): number {
  const usable = numbers.filter((number) => left.get(number.phoneNumber) !== 0);
  const all = usable.length > 0 ? usable : numbers;
  const own = all.find((number) => number.phoneNumber === phoneNumber);
  if (!own) return 0;
  const throughput = all.reduce((sum, number) => sum + number.throughput, 0);
  const taken = all.reduce((sum, number) => sum + number.taken, 0);
  const behind = Math.ceil(((taken + pending) * own.throughput) / throughput) - own.taken;
  const most = usable.length > 0 ? (left.get(phoneNumber) ?? Infinity) : Infinity;
  return Math.min(behind > 0 ? behind : roundWorth, most, pending);
}
