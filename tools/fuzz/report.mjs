// @ts-check

/** Maximum share of rate-limited requests, above which a run proves nothing. */
const MAX_LIMITED_SHARE = 0.01;

/**
 * Prints the results of a run.
 * @param {import('../../apps/gateway/test/fuzz/fuzz').FuzzReport} report
 * @param {{ exits: string[] }} programs programs that exited during the run
 * @returns {boolean} true when no guarantee was violated
 */
export function printReport(report, { exits }) {
  const {
    requests,
    seconds,
    seed,
    byStatus,
    byCode,
    byKind,
    byOperation,
    accepted,
    p99Ms,
    slowestMs,
    repeated,
    failed,
    failures,
  } = report;
  const operations = Object.keys(byOperation).sort();
  const figures = {
    requests: `${requests} in ${seconds.toFixed(1)} s (${Math.round(requests / seconds)}/s)`,
    'p99, slowest': `${p99Ms.toFixed(0)} ms, ${slowestMs.toFixed(0)} ms`,
    statuses: listOf(byStatus),
    codes: listOf(byCode),
    kinds: listOf(byKind),
    operations: operations.map((id) => `${id} ${byOperation[id]} (${accepted[id] ?? 0} accepted)`).join(', '),
    'programs that ended': exits.join(', ') || 'none',
    repeated: `${repeated} after a 503 or a late response`,
    failed: String(failed),
    seed: String(seed),
  };
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  for (const { problems, request, answer } of failures)
    process.stdout.write(`\n  ${problems.join('; ')}\n  ${request}\n  → ${answer}\n`);
  const limited = (byCode['RATE_LIMITED'] ?? 0) / requests > MAX_LIMITED_SHARE;
  if (limited) process.stdout.write('too many requests met a limit: give the key a plan with a higher one\n');
  return failed === 0 && exits.length === 0 && !limited;
}

function listOf(/** @type {Record<string, number>} */ counts) {
  const entries = Object.entries(counts).sort(([one], [other]) => one.localeCompare(other));
  return entries.map(([name, count]) => `${name} ${count}`).join(', ');
}
