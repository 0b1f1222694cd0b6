// @ts-check

/** @typedef {{ n: number, status: number, id?: string, upstreamId?: string }} Answer what the caller of a send was told; status 0: no answer at all */
/** @typedef {{ id: string, client_ref: string, state: string, upstream_id: string | null, send_attempts: number }} Row a message as messaging keeps it */
/** @typedef {{ opaque?: string, wamid: string, status: string }} Taken a send as the upstream platform accepted it */

const ACCEPTED_STATES = ['accepted', 'sent', 'delivered', 'read'];
/** How far a message can have come, for what upstream says and for what we know of it. */
const PROGRESS = ['accepted', 'sent', 'delivered', 'read'];
/** No answer at all from a gateway that was killed, and an outcome that is unknown: the message may be there or not. */
const UNKNOWN = [0, 504];
/**
 * Clear refusals: upstream must not have the message. Of a 503 we must not know anything either: nothing was done. Any
 * other answer is unexpected.
 */
const REFUSED = [502, 503];

/**
 * Compares sets: what callers were told, what messaging keeps, what the upstream platform accepted.
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
    /** Those of `unexpected` that were refused although something was done. */
    untrue,
  };
}

/** How a request of these commands is named in its message. */
export function refOf(/** @type {number} */ n) {
  return `fault-${n}`;
}

/**
 * A row must say what upstream has: no more than its last status for what was accepted (callbacks get lost), nothing
 * for what failed or is unsettled.
 */
function disagrees(/** @type {Row} */ { state, upstream_id: upstreamId }, /** @type {Taken[] | undefined} */ sends) {
  if (!ACCEPTED_STATES.includes(state)) return state !== 'failed' || sends !== undefined;
  return !sends?.some(
    ({ wamid, status }) => wamid === upstreamId && PROGRESS.indexOf(status) >= PROGRESS.indexOf(state),
  );
}
