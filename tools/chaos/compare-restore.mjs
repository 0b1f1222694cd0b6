// @ts-check

/** @typedef {import('./mixed-load.mjs').LoadAnswer} LoadAnswer */
/**
 * @typedef {{ messages: string[], phones: string[] }} Known ids of messages, and phones of codes and job recipients, in
 * a restored database
 */

/**
 * Splits responses by the recovery point of a restore. A restored database holds everything that completed before that
 * point, and may hold requests that were in flight then.
 * @param {LoadAnswer[]} answers
 * @param {number} moment recovery point in milliseconds
 */
export function dividedAt(answers, moment) {
  // Compare strictly, because times are rounded down to milliseconds.
  const isBefore = (/** @type {LoadAnswer} */ { startedAt, durationMs }) => startedAt + durationMs < moment;
  const isAfter = (/** @type {LoadAnswer} */ { startedAt }) => startedAt > moment;
  return {
    before: answers.filter(isBefore),
    underWay: answers.filter((answer) => !isBefore(answer) && !isAfter(answer)),
    after: answers.filter(isAfter),
  };
}

/**
 * Returns requests that were accepted after the recovery point but are in the restored database.
 * @param {LoadAnswer[]} after
 * @param {Known} known
 */
export function stillThere(after, { messages, phones }) {
  return after
    .filter(({ kind, id = '', to = [] }) =>
      kind === 'send' ? messages.includes(id) : to.some((phone) => phones.includes(phone)),
    )
    .map(({ kind, n }) => `${kind} ${n}`);
}

/**
 * Classifies duplicate sends. A send that is open in the restored database is repeated, because the database does not
 * know that the lost installation made it. Any other repeated send is an error.
 * @param {string[]} doubled duplicates as reported by `compareLoad`
 * @param {Known} open open work in the restored database
 */
export function sentAgain(doubled, { messages, phones }) {
  const known = [...messages, ...phones];
  const isOpen = (/** @type {string} */ text) => known.some((id) => text.includes(id));
  return { allowed: doubled.filter(isOpen), doubled: doubled.filter((text) => !isOpen(text)) };
}

/**
 * Removes findings that no backup can contain: sends and statuses after its recovery point.
 * @param {{ lost: string[], unexpected: string[] }} compared findings as reported by `compareLoad`
 * @param {LoadAnswer[]} kept responses from before the recovery point
 */
export function withoutUnheld({ lost, unexpected }, kept) {
  const ids = new Set(kept.map(({ id }) => id));
  const isUnheld = (/** @type {string} */ text) => {
    const [, id] = /^upstream has (\S+), which we do not know$/.exec(text) ?? [];
    return id !== undefined && !ids.has(id);
  };
  return {
    lost: lost.filter((text) => !isUnheldStatus(text)),
    unexpected: unexpected.filter((text) => !isUnheld(text)),
  };
}

/**
 * Returns true when a message's statuses arrived after the recovery point: no webhook reports the message as accepted.
 */
export function isUnheldStatus(/** @type {string} */ missing) {
  return /^no webhook told that \S+ is accepted$/.test(missing);
}
