// @ts-check

/**
 * @typedef {{ n: number, status: number, id?: string, upstreamId?: string }} Answer response to the caller of a send;
 * status 0: no response
 */
/**
 * @typedef {{ id: string, client_ref: string, state: string, upstream_id: string | null, send_attempts: number }} Row a
 * message as stored by the messaging service
 */
/** @typedef {{ opaque?: string, wamid: string, status: string }} Taken send that the upstream platform accepted */

const ACCEPTED_STATES = ['accepted', 'sent', 'delivered', 'read'];
/** Statuses in order, for both the upstream platform and the messaging rows. */
const PROGRESS = ['accepted', 'sent', 'delivered', 'read'];
/** Statuses that leave open whether the message exists: no response from a killed gateway, or a 504. */
const UNKNOWN = [0, 504];
/**
 * Statuses of definite errors: upstream must not have the message. After a 503, there must be no row either. Any other
 * status is unexpected.
 */
const REFUSED = [502, 503];

/**
 * Compares the responses to callers, the messaging rows and the sends that the upstream platform accepted.
 * @param {{ answers: Answer[], rows: Row[], taken: Taken[] }} facts
 */
export function compareSends({ answers, rows, taken }) {
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  /** @type {Map<string, Taken[]>} */
  const takenById = new Map();
  for (const send of taken) takenById.set(send.opaque ?? '', [...(takenById.get(send.opaque ?? '') ?? []), send]);
  const accepted = answers.filter(({ status }) => status === 200);
  const lost = accepted.filter(
    ({ id = '' }) => !takenById.has(id) || !ACCEPTED_STATES.includes(rowsById.get(id)?.state ?? ''),
  );
  const doubled = [...takenById].filter(([, sends]) => sends.length > 1);
  const refs = new Set();
  const twice = rows.filter(({ client_ref: ref }) => refs.size === refs.add(ref).size);
  const rowsByRef = new Map(rows.map((row) => [row.client_ref, row]));
  const isDone = (/** @type {Answer} */ { n, status }) => {
    const row = rowsByRef.get(refOf(n));
    return row !== undefined && (status === 503 || takenById.has(row.id));
  };
  const untrue = answers
    .filter((answer) => REFUSED.includes(answer.status) && isDone(answer))
    .map(({ n, status }) => `request ${n} was answered ${status} and carried out`);
  const unexpected = [
    ...untrue,
    ...answers
      .filter(({ status }) => status !== 200 && !UNKNOWN.includes(status) && !REFUSED.includes(status))
      .map(({ n, status }) => `request ${n} was answered ${status}`),
    ...accepted
      .filter(({ id = '', upstreamId }) => rowsById.get(id)?.upstream_id !== upstreamId)
      .map(({ id }) => `${id} was answered with another upstream id`),
    ...rows
      .filter((row) => disagrees(row, takenById.get(row.id)))
      .map(({ id, state }) => `${id} is ${state}, upstream says otherwise`),
    ...[...takenById.keys()].filter((id) => !rowsById.has(id)).map((id) => `upstream has ${id}, which we do not know`),
    ...twice.map(({ client_ref: ref }) => `${ref} has more than one message`),
  ];
  return {
    accepted: accepted.length,
    answeredOtherwise: answers.length - accepted.length,
    settled: rows.length - accepted.length,
    resent: rows.filter(({ send_attempts: attempts }) => attempts > 1).length,
    lost: lost.map(({ id }) => String(id)),
    doubled: doubled.map(([id]) => id),
    unexpected,
    /** Subset of `unexpected`: rejected requests that had an effect. */
    untrue,
  };
}

export function refOf(/** @type {number} */ n) {
  return `fault-${n}`;
}

/**
 * Returns true when a row contradicts upstream. An accepted message may lag behind the last upstream status, because
 * callbacks get lost. A failed or unsettled message has no send.
 */
function disagrees(/** @type {Row} */ { state, upstream_id: upstreamId }, /** @type {Taken[] | undefined} */ sends) {
  if (!ACCEPTED_STATES.includes(state)) return state !== 'failed' || sends !== undefined;
  return !sends?.some(
    ({ wamid, status }) => wamid === upstreamId && PROGRESS.indexOf(status) >= PROGRESS.indexOf(state),
  );
}
