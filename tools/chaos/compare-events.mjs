// @ts-check

/**
 * @typedef {{ event: string, eventId: string, messageId?: string | null, id?: string, status?: string }} Told a webhook
 * as the customer's server received it
 */

/**
 * Compares the statuses of messages with the webhooks received for them.
 * @param {{ upstream_id: string | null, state: string }[]} rows rows of the messaging service; a row without an
 * upstream id was never sent
 * @param {Told[]} told webhooks in the order of arrival
 * @returns {{ missing: string[], doubled: string[], again: number }} statuses without a webhook; statuses with two
 * different events; number of redelivered events
 */
export function compareEvents(rows, told) {
  /** @type {Map<string, Set<string>>} */
  const eventsByState = new Map();
  const ofStatus = told.filter(({ event }) => event === 'message_status');
  for (const { messageId, id, status, eventId } of ofStatus) {
    // A message that was never sent has no upstream id.
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
 * Compares contacts' messages with the stored rows and with the webhooks that the customer's server received.
 * @param {string[]} written upstream ids, as assigned by the simulator
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
