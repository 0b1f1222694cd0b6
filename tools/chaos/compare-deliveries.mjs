// @ts-check

/** @typedef {{ eventId: string, attempt: number, path: string }} Hit a request as a receiver saw it */
/** @typedef {{ eventId: string, attempt: number, isFinished: boolean }} Attempt an attempt as webhooks has it on record */

/**
 * Compares sets: what receivers saw, what is on record, what became of each delivery. An attempt may be on record
 * without a hit (the process died first); a hit without an attempt must not be.
 * @param {{ hits: Hit[], attempts: Attempt[], deliveries: { eventId: string, state: string }[] }} facts
 */
export function compareDeliveries({ hits, attempts, deliveries }) {
  const recorded = new Set(attempts.map(nameOf));
  const seen = new Set();
  // The same attempt seen twice has one row only: the second hit is not on record.
  const unrecorded = hits.map(nameOf).filter((name) => !recorded.has(name) || seen.size === seen.add(name).size);
  return {
    hits: hits.length,
    attempts: attempts.length,
    unfinished: attempts.filter(({ isFinished }) => !isFinished).length,
    deliveries: deliveries.length,
    unrecorded,
    undelivered: deliveries
      .filter(({ state }) => state !== 'delivered')
      .map(({ eventId, state }) => `${eventId} is ${state}`),
  };
}

function nameOf(/** @type {{ eventId: string, attempt: number }} */ { eventId, attempt }) {
  return `${eventId} attempt ${attempt}`;
}
