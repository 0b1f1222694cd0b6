const DAY_SECONDS = 86_400;

/** Throughput and messaging limit of a business number. */
export interface NumberLimits {
  /** Messages per second that the upstream platform accepts from the number. */
  throughput: number;
  /** Contacts per 24 hours outside service windows; null if unlimited or unknown. */
  messagingLimit: number | null;
  /** Contacts that may still be messaged within the limit; null if unknown. */
  remaining: number | null;
  /** Portfolio whose numbers share the limit. If absent, the number has a separate limit. */
  portfolio?: string | null;
}

/** Messages of a job. */
export interface ExpectedMessages {
  messages: number;
  /** Messages outside a service window, which count towards the messaging limits. */
  initiated: number;
}

interface Share {
  rate: number;
  /** Maximum messages. */
  most: number;
}

/** Returns a number's maximum messages per second. @param maxPace configured maximum per number; 0 for none */
export function sustainedRate(throughput: number, maxPace: number): number {
  return maxPace === 0 ? throughput : Math.min(throughput, maxPace);
}

/** Returns the maximum messages per second of all numbers. @param maxPace as in `sustainedRate` */
export function totalRate(numbers: readonly Pick<NumberLimits, 'throughput'>[], maxPace: number): number {
  return numbers.reduce((sum, { throughput }) => sum + sustainedRate(throughput, maxPace), 0);
}

/**
 * Returns the expected duration, in seconds, of a job spread over the numbers. Messages above the messaging limits wait
 * until the limits reset, every 24 hours. Returns null if some messages can never be sent.
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

/** Merges numbers with a shared limit into one number with their total rate. */
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

/** Returns the seconds until all messages are sent. The shares must allow at least that many messages. */
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
