// @ts-check

/** @typedef {{ event: string, eventId: string, messageId?: string | null, id?: string, status?: string }} Told a webhook as the customer's server got it */

/**
 * Compares the states of messages with the webhooks that came for them.
 * @param {{ upstream_id: string | null, state: string }[]} rows the messages as messaging keeps them; one without an
 * upstream id was never sent
 * @param {Told[]} told in the order in which they came
 * @returns {{ missing: string[], doubled: string[], again: number }} states that no webhook told of; states that two
 * different events told of; how often an event came again
 */
export function compareEvents(rows, told) {
  /** @type {Map<string, Set<string>>} */
  const eventsByState = new Map();
  const ofStatus = told.filter(({ event }) => event === 'message_status');
  for (const { messageId, id, status, eventId } of ofStatus) {
    // A send that never left has no upstream id.
    const state = `${messageId ?? id} ${status}`;
    eventsByState.set(state, (eventsByState.get(state) ?? new Set()).add(eventId));
  }
  const sent = rows.filter(({ upstream_id: id }) => id !== null);
  const missing = sent
    .filter(({ upstream_id: id, state }) => !eventsByState.has(`${id} ${state}`))
    .map(({ upstream_id: id, state }) => `no webhook told that ${id} is ${state}`);
  const doubled = [...eventsByState]
    .filter(([, events]) => events.size > 1)
    .map(([state, { size }]) => `${size} events told: ${state}`);
  return { missing, doubled, again: ofStatus.length - new Set(ofStatus.map(({ eventId }) => eventId)).size };
}

/**
 * Compares messages of contacts with what the service stored and with the webhooks that the customer's server received.
 * @param {string[]} written upstream ids, as the simulator gave them
 * @param {{ upstream_id: string | null }[]} rows inbound messages of the account
 * @param {Told[]} told
 */
export function compareInbound(written, rows, told) {
  const stored = countEach(rows.map(({ upstream_id: id }) => String(id)));
  const published = countEach(
    new Map(
      told.filter(({ event }) => event === 'message').map(({ eventId, messageId }) => [eventId, String(messageId)]),
    ).values(),
  );
  const places = /** @type {const} */ ([
    ['messages', stored],
    ['webhooks', published],
  ]);
  const found = written.flatMap((id) => places.map(([name, counts]) => ({ id, name, count: counts.get(id) ?? 0 })));
  return {
    lost: found.filter(({ count }) => count === 0).map(({ id, name }) => `${id} is not in the ${name}`),
    doubled: found
      .filter(({ count }) => count > 1)
      .map(({ id, name, count }) => `${id} is ${count} times in the ${name}`),
  };
}

/** @returns {Map<string, number>} */
export function countEach(/** @type {Iterable<string>} */ texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
