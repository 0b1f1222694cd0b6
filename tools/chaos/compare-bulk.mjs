// @ts-check

/**
 * @typedef {object} Row recipient as stored by the jobs service
 * @property {number} position
 * @property {string} phone
 * @property {string} status
 * @property {string | null} message_id
 * @property {string | null} upstream_id
 * @property {string | null} [business_number] sender, for a job with several numbers
 */
/**
 * @typedef {{ opaque?: string, wamid: string, status: string, to?: string, from?: string }} Taken send that the upstream
 * platform accepted
 */
/** @typedef {Record<string, any>} Job a job as returned by the API */

const COUNTS = ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'cancelled'];

/**
 * Compares the intended recipients, the job's rows and the sends that the upstream platform accepted. Checks the job's
 * counts against its rows, and that each business number of the job has sent.
 * @param {{ people: string[], rows: Row[], taken: Taken[], job: Job, doubledIds?: string[], numbers?: string[] }} facts
 * `people`: number or user id by which each one is given first; `doubledIds`: duplicates counted by the simulator,
 * whose list of sends is limited; `numbers`: business numbers of the job
 */
export function compareBulk({ people, rows, taken, job, doubledIds = [], numbers = [] }) {
  /** @type {Map<string, Taken[]>} */
  const takenById = new Map();
  for (const send of taken) takenById.set(send.opaque ?? '', [...(takenById.get(send.opaque ?? '') ?? []), send]);
  const byPhone = new Map(rows.map((row) => [row.phone, row]));
  const missing = people.filter((person) => !takenById.has(byPhone.get(person)?.message_id ?? ''));
  const twice = [
    ...new Set([
      ...doubledIds,
      ...[...takenById].filter(([, sends]) => sends.length > 1).map(([id]) => id),
      ...repeated(taken.flatMap(({ to }) => (to === undefined ? [] : [to]))),
    ]),
  ];
  const fromNumbers = numbers.map((number) => taken.filter(({ from }) => from === number).length);
  const known = new Set(rows.map(({ message_id: id }) => id));
  const wrong = [
    ...[...takenById.keys()].filter((id) => !known.has(id)).map((id) => `upstream has ${id}, which no recipient has`),
    ...rows
      .filter((row) => !agrees(row, takenById.get(row.message_id ?? '')))
      .map(({ position, status }) => `recipient ${position} is ${status}, upstream says otherwise`),
    ...(byPhone.size === rows.length ? [] : ['a recipient stands in two rows']),
    ...rows
      .filter((row) => row.business_number && takenById.get(row.message_id ?? '')?.some((send) => !isFrom(row, send)))
      .map(({ position }) => `recipient ${position} has another sender than upstream`),
    ...numbers.filter((_, index) => fromNumbers[index] === 0).map((number) => `nothing was sent from ${number}`),
    ...COUNTS.filter((name) => countOf(rows, name) !== job[name]).map(
      (name) => `${name} is ${job[name]}, ${countOf(rows, name)} rows are`,
    ),
    ...(COUNTS.reduce((sum, name) => sum + Number(job[name]), Number(job['rejected']) + Number(job['duplicates'])) ===
    job['total']
      ? []
      : ['the counts do not add up to the total']),
  ];
  return { missing, twice, wrong, taken: takenById.size, fromNumbers };
}

function isFrom(/** @type {Row} */ { business_number: number }, /** @type {Taken} */ { from }) {
  return from === undefined || from === number;
}

/** Returns the numbers of people to whom several messages were sent, whichever identifier the sends had. */
function repeated(/** @type {string[]} */ numbers) {
  const seen = new Set();
  return numbers.filter((number) => seen.size === seen.add(number).size);
}

/** Counts rows by status as the API shows it: `released` and `unknown` rows count as pending. */
function countOf(/** @type {Row[]} */ rows, /** @type {string} */ name) {
  return rows.filter(({ status }) => (['released', 'unknown'].includes(status) ? 'pending' : status) === name).length;
}

/**
 * Returns true when a row matches the upstream sends: same id, and a status no further than the upstream status. A
 * failed recipient has no send, and no row stays open.
 */
function agrees(/** @type {Row} */ { status, upstream_id: upstreamId }, /** @type {Taken[] | undefined} */ sends) {
  if (status === 'failed') return sends === undefined;
  if (!['accepted', 'sent', 'delivered', 'read'].includes(status)) return false;
  return (
    sends !== undefined &&
    sends.some(({ wamid, status: theirs }) => wamid === upstreamId && COUNTS.indexOf(theirs) >= COUNTS.indexOf(status))
  );
}
