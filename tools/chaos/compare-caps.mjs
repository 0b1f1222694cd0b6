// @ts-check

/** @typedef {{ opaque?: string, status: string }} Taken send that the upstream platform accepted */
/** @typedef {{ id: string, state: string, job_id: string | null }} Row a message stored by the messaging service */
/** @typedef {{ job_id: string, reserved: number, settled: number }} Total amounts of a cap, in units */

/** Final states, in which a message must have no open reservation. */
const OVER = ['delivered', 'read', 'failed'];

/**
 * Compares the platform's charges with the caps, and with the totals and reservations of the messaging service. The
 * platform charges every message that it accepted and did not report as failed.
 * @param {{ taken: Taken[], rows: Row[], reserved: { id: string }[], totals: Total[], notices: { percent: string }[],
 * recipients: { job_id: string, status: string, count: number }[], cap: number, jobCaps: Map<string, number>,
 * price: number }} facts amounts in units
 */
export function compareCaps({ taken, rows, reserved, totals, notices, recipients, cap, jobCaps, price }) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const charges = taken.filter(({ status }) => status !== 'failed');
  const charged = charges.length * price;
  const month = totals.find(({ job_id: jobId }) => jobId === '');
  const open = rows.filter(({ state }) => !OVER.includes(state));
  const unexpected = [
    ...(charged > cap ? [`${charged} was charged, the cap is ${cap}`] : []),
    ...[...jobCaps].flatMap(([jobId, most]) => {
      const spent = charges.filter(({ opaque = '' }) => byId.get(opaque)?.job_id === jobId).length * price;
      return spent > most ? [`${jobId} was charged ${spent}, its cap is ${most}`] : [];
    }),
    ...totals
      .filter(
        ({ job_id: jobId, reserved: held, settled }) =>
          held + settled > (jobId === '' ? cap : (jobCaps.get(jobId) ?? 0)),
      )
      .map(({ job_id: jobId }) => `the total ${jobId || 'of the month'} exceeds its cap`),
    ...(month && month.settled + month.reserved < charged
      ? [`${charged} was charged, only ${month.settled} + ${month.reserved} counted`]
      : []),
    ...(month && month.reserved !== reserved.length * price
      ? [`${month.reserved} is reserved for ${reserved.length} messages`]
      : []),
    ...reserved
      .filter(({ id }) => OVER.includes(byId.get(id)?.state ?? 'failed'))
      .map(({ id }) => `${id} is reserved and ${byId.get(id)?.state ?? 'unknown'}`),
    ...[...new Set(notices.map(({ percent }) => percent))]
      .filter((percent) => notices.filter((notice) => notice.percent === percent).length > 1)
      .map((percent) => `the notice of ${percent} % was sent more than once`),
    ...recipients
      .filter(({ status, count }) => ['released', 'unknown', 'cancelled'].includes(status) && count > 0)
      .map(({ job_id: jobId, status, count }) => `${count} recipients of ${jobId} are ${status}`),
  ];
  return {
    charged,
    cap,
    settled: month?.settled ?? 0,
    reserved: reserved.length,
    inFlight: open.length,
    accepted: taken.length,
    unexpected,
  };
}
