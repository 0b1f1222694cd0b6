// @ts-check

/** @typedef {{ eventId: string, attempt: number, path: string }} Hit a request as the receiver saw it */
/**
 * @typedef {{ eventId: string, attempt: number, isFinished: boolean }} Attempt an attempt as recorded by the webhooks
 * service
 */

/**
 * Compares receivers' hits, recorded attempts and final delivery states. An attempt may lack a hit, because the process
 * died first. A hit without a recorded attempt is an error.
 * @param {{ hits: Hit[], attempts: Attempt[], deliveries: { eventId: string, state: string }[] }} facts
 */
export function compareDeliveries({ hits, attempts, deliveries }) {
  const recorded = new Set(attempts.map(nameOf));
  const seen = new Set();
  // A repeated attempt has only one row, so its second hit counts as unrecorded.
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
