// @ts-check

/** @typedef {{ position: number, phone: string, status: string, message_id: string | null, upstream_id: string | null }} Row a recipient as the jobs service keeps it */
/** @typedef {{ opaque?: string, wamid: string, status: string, to?: string }} Taken a send as the upstream platform accepted it */
/** @typedef {Record<string, any>} Job as the API shows it */

const COUNTS = ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'cancelled'];

/**
 * Compares sets: who was to be sent to, what the job says of each, what the upstream platform accepted; and the job's
 * counts with its rows.
 * @param {{ phones: string[], rows: Row[], taken: Taken[], job: Job, doubledIds?: string[] }} facts `doubledIds`: what
 * upstream counted itself, whatever the list still shows
 */
export function compareBulk({ phones, rows, taken, job, doubledIds = [] }) {
  /** @type {Map<string, Taken[]>} */
  const takenById = new Map();
  for (const send of taken) takenById.set(send.opaque ?? '', [...(takenById.get(send.opaque ?? '') ?? []), send]);
  const byPhone = new Map(rows.map((row) => [row.phone, row]));
  const missing = phones.filter((phone) => !takenById.has(byPhone.get(phone)?.message_id ?? ''));
  const twice = [
    ...new Set([...doubledIds, ...[...takenById].filter(([, sends]) => sends.length > 1).map(([id]) => id)]),
  ];
  const known = new Set(rows.map(({ message_id: id }) => id));
  const wrong = [
    ...[...takenById.keys()].filter((id) => !known.has(id)).map((id) => `upstream has ${id}, which no recipient has`),
    ...rows
      .filter((row) => !agrees(row, takenById.get(row.message_id ?? '')))
      .map(({ position, status }) => `recipient ${position} is ${status}, upstream says otherwise`),
    ...(byPhone.size === rows.length ? [] : ['a phone number stands in two rows']),
    ...COUNTS.filter((name) => countOf(rows, name) !== job[name]).map(
      (name) => `${name} is ${job[name]}, ${countOf(rows, name)} rows are`,
    ),
    ...(COUNTS.reduce((sum, name) => sum + Number(job[name]), Number(job['rejected']) + Number(job['duplicates'])) ===
    job['total']
      ? []
      : ['the counts do not add up to the total']),
  ];
  return { missing, twice, wrong, taken: takenById.size };
}

/** What is handed over or open is shown as pending. */
function countOf(/** @type {Row[]} */ rows, /** @type {string} */ name) {
  return rows.filter(({ status }) => (['released', 'unknown'].includes(status) ? 'pending' : status) === name).length;
}

/**
 * A row says what upstream has: its id, and no more than its status; nothing was taken of whoever failed, and nobody is
 * left open.
 */
function agrees(/** @type {Row} */ { status, upstream_id: upstreamId }, /** @type {Taken[] | undefined} */ sends) {
  if (status === 'failed') return sends === undefined;
  if (!['accepted', 'sent', 'delivered', 'read'].includes(status)) return false;
  return (
    sends !== undefined &&
    sends.some(({ wamid, status: theirs }) => wamid === upstreamId && COUNTS.indexOf(theirs) >= COUNTS.indexOf(status))
  );
}
