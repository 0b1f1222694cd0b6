// @ts-check

/** @typedef {import('./mixed-load.mjs').LoadAnswer} LoadAnswer */
/** @typedef {{ messages: string[], phones: string[] }} Open ids of messages, and phones of codes and job recipients, that a dump holds as not sent or without a known outcome */

/**
 * Divides what callers were told by the moment at which a dump began: it holds what was answered before. A request that
 * was under way may be in it or not, so of it nothing is known.
 * @param {LoadAnswer[]} answers
 * @param {number} dumpedAt in milliseconds
 */
export function beforeDump(answers, dumpedAt) {
  const isBefore = (/** @type {LoadAnswer} */ { startedAt, durationMs }) => startedAt + durationMs <= dumpedAt;
  return { kept: answers.filter(isBefore), after: answers.filter((answer) => !isBefore(answer)) };
}

/**
 * Divides what was sent twice: a dump that holds a send as open does not know that it was made, so after the restore
 * it is made again. Anything else must not be.
 * @param {string[]} doubled as `compareLoad` names them
 * @param {Open} open
 */
export function sentAgain(doubled, { messages, phones }) {
  const known = [...messages, ...phones];
  const isOpen = (/** @type {string} */ text) => known.some((id) => text.includes(id));
  return { allowed: doubled.filter(isOpen), doubled: doubled.filter((text) => !isOpen(text)) };
}

/**
 * Leaves out what no dump can hold: sends that were made after it, and statuses that came after it.
 * @param {{ lost: string[], unexpected: string[] }} compared as `compareLoad` gives them
 * @param {LoadAnswer[]} kept what was answered before the dump
 */
export function withoutUnheld({ lost, unexpected }, kept) {
  const ids = new Set(kept.map(({ id }) => id));
  const isUnheld = (/** @type {string} */ text) => {
    const [, id] = /^upstream has (\S+), which we do not know$/.exec(text) ?? [];
    return id !== undefined && !ids.has(id);
  };
  return {
    lost: lost.filter((text) => !/^no webhook told that \S+ is accepted$/.test(text)),
    unexpected: unexpected.filter((text) => !isUnheld(text)),
  };
}
