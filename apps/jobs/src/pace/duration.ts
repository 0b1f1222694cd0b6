const DAY_SECONDS = 86_400;

/** Limits of a business number. */
export interface NumberLimits {
  /** Messages per second that the upstream platform accepts from the number. */
  throughput: number;
  /** Number of people per 24 hours outside service windows; null if unlimited or unknown. */
  messagingLimit: number | null;
  /** Part of the messaging limit that is left; null if unknown. */
  remaining: number | null;
  /** Portfolio whose numbers share the limit; the number has its own limit if absent. */
  portfolio?: string | null;
}

/** Messages of a job. */
export interface ExpectedMessages {
  messages: number;
  /** Those outside a service window, which count towards the messaging limits. */
  initiated: number;
}

interface Share {
  rate: number;
  /** Maximum messages. */
  most: number;
}

/** Returns the messages per second that a number sends at most. @param maxPace configured maximum; 0 for none */
export function sustainedRate(throughput: number, maxPace: number): number {
  return maxPace === 0 ? throughput : Math.min(throughput, maxPace);
}

/**
 * Returns the expected duration of a job in seconds when its messages are spread over the numbers. Messages beyond the
 * messaging limits wait until the limits apply anew, each 24 hours. Null if they can never be sent.
 * @param maxPace configured maximum rate per number; 0 for none
 */
export function expectedSeconds(
  { messages, initiated }: ExpectedMessages,
  numbers: readonly NumberLimits[],
  maxPace: number,
): number | null {
  if (messages === 0) return 0;
  const rates = numbers.map(({ throughput }) => sustainedRate(throughput, maxPace));
  if (!rates.some((rate) => rate > 0)) return null;
  const unlimited = secondsFor(
    messages,
    rates.map((rate) => ({ rate, most: Infinity })),
  );
  const limited = limitedSeconds(initiated, ...byPortfolio(numbers, rates));
  return limited === null ? null : Math.ceil(Math.max(unlimited, limited));
}

/** Merges numbers that share a limit into one with their total rate. */
function byPortfolio(numbers: readonly NumberLimits[], rates: readonly number[]): [NumberLimits[], number[]] {
  const merged = new Map<unknown, { number: NumberLimits; rate: number }>();
  numbers.forEach((number, index) => {
    const known = merged.get(number.portfolio ?? number);
    merged.set(number.portfolio ?? number, {
      number: known?.number ?? number,
      rate: (known?.rate ?? 0) + (rates[index] ?? 0),
    });
  });
  const all = [...merged.values()];
  return [all.map(({ number }) => number), all.map(({ rate }) => rate)];
}

function limitedSeconds(messages: number, numbers: readonly NumberLimits[], rates: readonly number[]): number | null {
  const sharesOf = (most: (number: NumberLimits) => number | null): Share[] =>
    numbers.flatMap((number, index) => {
      const rate = rates[index] ?? 0;
      return rate > 0 ? [{ rate, most: most(number) ?? Infinity }] : [];
    });
  const today = sharesOf(({ remaining, messagingLimit }) => remaining ?? messagingLimit);
  const rest = messages - sumOf(today);
  if (rest <= 0) return secondsFor(messages, today);
  const daily = sharesOf(({ messagingLimit }) => messagingLimit);
  const perDay = sumOf(daily);
  if (perDay === 0) return null;
  const days = Math.max(1, Math.ceil(rest / perDay));
  const last = days === 1 ? rest : rest - (days - 1) * perDay;
  return days * DAY_SECONDS + secondsFor(last, daily);
}

/** Returns the time until the messages are sent. The shares must suffice for them. */
function secondsFor(messages: number, shares: readonly Share[]): number {
  const byEnd = shares.toSorted((one, other) => one.most / one.rate - other.most / other.rate);
  let [left, seconds, rate] = [messages, 0, byEnd.reduce((sum, share) => sum + share.rate, 0)];
  for (const share of byEnd) {
    const end = share.most / share.rate;
    if (left <= (end - seconds) * rate) return seconds + left / rate;
    left -= (end - seconds) * rate;
    seconds = end;
    rate -= share.rate;
  }
  return seconds;
}

function sumOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { most }) => sum + most, 0);
}
