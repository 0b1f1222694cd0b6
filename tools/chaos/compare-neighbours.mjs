// @ts-check

/** @typedef {{ name: string, ms: number, status: number }} Answer status 0: no response */

export function quantile(/** @type {readonly Answer[]} */ answers, /** @type {number} */ share) {
  const sorted = answers.map(({ ms }) => ms).sort((one, other) => one - other);
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN);
}

/**
 * Compares the requests of one account during another account's load with the same requests alone.
 * @param {{ alone: readonly Answer[], beside: readonly Answer[] }} answers
 * @param {{ percent: number, slack: number }} bound the 99th percentile under load may reach `percent` of the one
 * alone, plus `slack` milliseconds
 */
export function compareNeighbours({ alone, beside }, { percent, slack }) {
  const failed = [...alone, ...beside]
    .filter(({ status }) => status !== 200 && status !== 201)
    .map(({ name, status }) => `${name} was answered ${status || 'not at all'}`);
  const [p99Alone, p99Beside] = [quantile(alone, 0.99), quantile(beside, 0.99)];
  const most = Math.round((p99Alone * percent) / 100 + slack);
  return {
    p50Alone: quantile(alone, 0.5),
    p99Alone,
    p50Beside: quantile(beside, 0.5),
    p99Beside,
    most,
    failed,
    isKept: failed.length === 0 && p99Beside <= most,
  };
}

/**
 * Returns true when concurrent reads were limited properly: some succeeded, all others got a 429 with `Retry-After`,
 * and none failed.
 * @param {readonly { status: number, retryAfter: string | null }[]} answers
 */
export function isBounded(answers) {
  const refused = answers.filter(({ status }) => status === 429);
  const isAnswered = answers.every(({ status }) => status === 200 || status === 429) && refused.length < answers.length;
  return isAnswered && refused.length > 0 && refused.every(({ retryAfter }) => Number(retryAfter) >= 1);
}
