// @ts-check

/** @typedef {{ kind: string, n: number, status: number }} Answer response to one request; status 0: no response */

/**
 * Compares the verifications of codes under load with a second one afterwards. A code verifies exactly once. A 200
 * consumes it, a 503 does not, and a 504 may have done either.
 * @param {Answer[]} answers responses of kind `code`, and of kind `verify` with the `n` of its code
 * @param {Map<number, number>} afterwards status of the second verification by `n`
 */
export function compareCodes(answers, afterwards) {
  const verified = new Map(answers.filter(({ kind }) => kind === 'verify').map(({ n, status }) => [n, status]));
  const codes = answers
    .filter(({ kind, status }) => kind === 'code' && isGood(status))
    .map(({ n }) => ({ n, first: verified.get(n), second: afterwards.get(n) ?? 0 }));
  const unused = codes.filter(({ second }) => !isGood(second));
  return {
    lost: unused
      .filter(({ first }) => first === undefined)
      .map(({ n, second }) => `code ${n} was sent, and its verification was answered ${second}`),
    doubled: codes
      .filter(({ first, second }) => first !== undefined && isGood(first) && isGood(second))
      .map(({ n }) => `code ${n} was verified twice`),
    untrue: unused
      .filter(({ first }) => first !== undefined && !isGood(first) && !UNKNOWN.includes(first))
      .map(({ n, first, second }) => `verification of code ${n} was answered ${first}, and then ${second}`),
  };
}

const UNKNOWN = [0, 504];

function isGood(/** @type {number} */ status) {
  return status >= 200 && status < 300;
}
