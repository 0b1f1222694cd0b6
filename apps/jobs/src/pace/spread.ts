/** A number and its limits, as messaging last reported them. */
export interface LimitedNumber {
  phoneNumber: string;
  /** Messages per second that the upstream platform accepts from the number. */
  throughput: number;
  /** Portfolio whose limit the number shares. Null if unknown. */
  portfolio: string | null;
  /** Contacts that the portfolio may message within 24 hours. Null for no limit. */
  messagingLimit: number | null;
  /** Contacts that the portfolio may still message within 24 hours, when it was last reported. Null for no limit. */
  leftToday: number | null;
  /** Recipients released to the number since that report. */
  releasedSince: number;
}

/** A number that sends for a job that has several, and what it has sent. */
export interface SpreadNumber extends LimitedNumber {
  /** Recipients of the job that were released to the number. */
  taken: number;
  /** Those of them without a result. */
  released: number;
}

/**
 * Returns how many recipients each number may still send to, by phone number. Numbers of one portfolio share what is
 * left. Numbers without a limit are absent.
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
 * Returns how many recipients of a job the number may take now. Each number takes its part in proportion to its
 * throughput. Once it has its part, it takes at most one round's worth at a time from slower numbers. A number without
 * anything left of its limit takes none while another number has some. If none has any, the upstream platform decides.
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
