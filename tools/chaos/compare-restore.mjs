// @ts-check

/** @typedef {import('./mixed-load.mjs').LoadAnswer} LoadAnswer */
/** @typedef {{ messages: string[], phones: string[] }} Known ids of messages, and phones of codes and job recipients, in a restored database */

/**
 * Divides responses by the moment that a restore goes back to. A restored database holds what was answered before it. A
 * request that was under way may be in it or not.
 * @param {LoadAnswer[]} answers
 * @param {number} moment in milliseconds
 */
export function dividedAt(answers, moment) {
  // Strict comparisons: times are rounded down to milliseconds.
  const isBefore = (/** @type {LoadAnswer} */ { startedAt, durationMs }) => startedAt + durationMs < moment;
  const isAfter = (/** @type {LoadAnswer} */ { startedAt }) => startedAt > moment;
  return {
    before: answers.filter(isBefore),
    underWay: answers.filter((answer) => !isBefore(answer) && !isAfter(answer)),
    after: answers.filter(isAfter),
  };
}

/**
 * Names what was accepted after the moment of a restore and is in the restored database nevertheless.
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
 * Divides what was sent twice. A send that is open in the restored database is made again: the database does not know
 * that the lost installation made it. Nothing else may be sent again.
 * @param {string[]} doubled as `compareLoad` names them
 * @param {Known} open what is open in the restored database
 */
export function sentAgain(doubled, { messages, phones }) {
  const known = [...messages, ...phones];
  const isOpen = (/** @type {string} */ text) => known.some((id) => text.includes(id));
  return { allowed: doubled.filter(isOpen), doubled: doubled.filter((text) => !isOpen(text)) };
}

/**
 * Leaves out what no backup can hold: sends and statuses after its moment.
 * @param {{ lost: string[], unexpected: string[] }} compared as `compareLoad` gives them
 * @param {LoadAnswer[]} kept what was answered before the moment
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

/** Returns true for a message whose statuses came after the moment: no webhook reports that it is accepted. */
export function isUnheldStatus(/** @type {string} */ missing) {
  return /^no webhook told that \S+ is accepted$/.test(missing);
}
