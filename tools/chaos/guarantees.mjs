// @ts-check
import { ANSWER_LIMIT_MS } from './outage.mjs';

/**
 * @typedef {object} Response response to one request of the load
 * @property {string} kind `send` or another kind of request
 * @property {number} status 0: no response
 * @property {string} [code] error code
 * @property {string} [reason] reason of an error, from the gateway's log
 * @property {number} startedAt in milliseconds
 * @property {number} durationMs
 */
/**
 * @typedef {object} Incident change of the infrastructure, in milliseconds
 * @property {string} name
 * @property {'loss' | 'return'} kind
 * @property {number} from start of the change
 * @property {number} to end of the change
 */
/** @typedef {ReturnType<typeof measure>} Measured */

/** Limits of the guarantees, in milliseconds. */
const FAILING_LIMIT_MS = 5_000;
const MAJORITY_LIMIT_MS = 10_000;
/**
 * Limit for a partition. Nodes count a disconnected node as down after `net_ticktime` (5 s) plus a quarter, and until
 * then some requests wait.
 */
const PARTITION_LIMIT_MS = 8_000;
const PROMOTION_LIMIT_MS = 2_000;
/** Maximum share of requests that may fail in a rolling restart. */
const ROLLING_SHARE = 0.01;
/** Time to detect that the broker has no majority. Until then, published messages have an unknown outcome. */
const SILENCE_MS = 2_000;
/** Error codes of slow or failed upstream calls, which do not depend on the infrastructure. */
const UPSTREAM_CODES = ['UPSTREAM_TIMEOUT', 'UPSTREAM_ERROR'];
/** Kinds of requests that get a 429 when they wait too long for the account's other reads. */
const READS = ['read', 'templates'];
/**
 * Reason of a 504 for a command that no service received. Its caller could have known that, because the command was
 * nacked or expired.
 */
const NEVER_TAKEN = /: it was not answered in time$/;

/**
 * Measures one phase of a load.
 * @param {Response[]} responses
 * @param {Incident[]} incidents in order
 */
export function measure(responses, incidents) {
  const failed = responses.filter(({ status, code = '' }) => !isGood(status) && !UPSTREAM_CODES.includes(code));
  const failedSends = failed.filter(({ kind }) => kind === 'send');
  return {
    requests: responses.length,
    good: responses.filter(({ status }) => isGood(status)).length,
    failed: failed.length,
    failedBefore: failed.filter(({ startedAt }) => startedAt < (incidents[0]?.from ?? Infinity)).length,
    counts: countByKind(responses),
    outageMs: longestGap(responses),
    unclear: failed
      .filter(({ status, kind }) => ![503, 504].includes(status) && !(status === 429 && READS.includes(kind)))
      .map(shown),
    unavailable: failed.filter(({ status }) => status === 503),
    unknown: failed.filter(({ status }) => status === 504),
    incidents: incidents.map((incident, index) => ({
      ...incident,
      failingMs: lastStart(failedSends, incident.from, incidents[index + 1]?.from) - incident.from,
      recoveryMs: Math.max(0, lastStart(failed, incident.from, incidents[index + 1]?.from) - incident.to),
    })),
  };
}

/**
 * Checks the loss and the return of one node against guarantee 39 of ADR 41.
 * @param {Measured} measured
 * @param {{ room?: number }} [options] `room`: factor on the time limits, for a busy machine
 * @returns {string[]} violations
 */
export function judgeNodeLoss(measured, { room = 1 } = {}) {
  return [
    ...judgeResponses(measured, ANSWER_LIMIT_MS * room),
    ...judgeFailing(measured, FAILING_LIMIT_MS * room),
    ...judgeGap(measured, FAILING_LIMIT_MS * room),
  ];
}

/**
 * Checks the loss and the return of a node's network against guarantee 41 of ADR 41.
 * @param {Measured} measured
 * @param {{ room?: number }} [options] as for `judgeNodeLoss`
 * @returns {string[]} violations
 */
export function judgePartition(measured, { room = 1 } = {}) {
  return [
    ...judgeResponses(measured, PARTITION_LIMIT_MS * room),
    ...judgeFailing(measured, PARTITION_LIMIT_MS * room),
    ...judgeGap(measured, PARTITION_LIMIT_MS * room),
  ];
}

/**
 * Checks a rolling restart of nodes against guarantee 39 of ADR 41.
 * @returns {string[]} violations
 */
export function judgeRolling(/** @type {Measured} */ measured, { room = 1 } = {}) {
  const { failed, requests } = measured;
  const isTooMuch = failed > requests * ROLLING_SHARE * room;
  return [
    ...judgeResponses(measured, ANSWER_LIMIT_MS * room),
    ...judgeGap(measured, FAILING_LIMIT_MS * room),
    ...(isTooMuch ? [`${failed} of ${requests} requests failed`] : []),
  ];
}

/**
 * Checks the loss of the broker's majority against guarantee 40 of ADR 41.
 * @returns {string[]} violations
 */
export function judgeMajorityLoss(/** @type {Measured} */ measured, { room = 1 } = {}) {
  return [
    ...judgeResponses(measured, ANSWER_LIMIT_MS * room),
    ...judgeStarted(measured, SILENCE_MS * room),
    ...judgeRecovery(measured, MAJORITY_LIMIT_MS * room),
    ...(measured.failed === 0 ? ['no request met it'] : []),
  ];
}

/**
 * Checks the loss of the database's primary and the promotion of its standby against guarantee 42 of ADR 41.
 * @returns {string[]} violations
 */
export function judgeFailover(/** @type {Measured} */ measured, { room = 1 } = {}) {
  return [
    ...judgeResponses(measured, ANSWER_LIMIT_MS * room),
    ...judgeStarted(measured),
    ...judgeRecovery(measured, PROMOTION_LIMIT_MS * room),
    ...(measured.failed === 0 ? ['no request met it'] : []),
  ];
}

/** Accepts only timely 503s. A 504 also requires an incident during the request, a missing confirm, or a consumer. */
function judgeResponses(
  /** @type {Measured} */ { unclear, unavailable, unknown, incidents },
  /** @type {number} */ limitMs,
) {
  const losses = incidents.filter(({ kind }) => kind === 'loss');
  const wasUnderWay = (/** @type {Response} */ { startedAt, durationMs }) =>
    losses.some(({ from, to }) => startedAt <= to && startedAt + durationMs >= from);
  return [
    ...unclear,
    ...unavailable.filter(({ durationMs }) => durationMs > limitMs).map(shown),
    ...unknown.filter((response) => NEVER_TAKEN.test(response.reason ?? '') && !wasUnderWay(response)).map(shown),
  ];
}

/** Rejects unknown outcomes of requests that started during a loss, because nothing can start then. */
function judgeStarted(/** @type {Measured} */ { unknown, incidents }, noticedMs = 0) {
  const [loss, end] = incidents;
  return unknown
    .filter(({ startedAt }) => loss && end && startedAt >= loss.to + noticedMs && startedAt < end.from)
    .map((response) => `${shown(response)}, and started while nothing could`);
}

function judgeGap(/** @type {Measured} */ { outageMs }, /** @type {number} */ limitMs) {
  return outageMs > limitMs ? [`no send succeeded for ${outageMs} ms`] : [];
}

function judgeFailing(/** @type {Measured} */ { incidents }, /** @type {number} */ limitMs) {
  return incidents
    .filter(({ failingMs }) => failingMs > limitMs)
    .map(({ name, failingMs }) => `sends failed for ${failingMs} ms after: ${name}`);
}

function judgeRecovery(/** @type {Measured} */ { incidents }, /** @type {number} */ limitMs) {
  return incidents
    .filter(({ kind, recoveryMs }) => kind === 'return' && recoveryMs > limitMs)
    .map(({ name, recoveryMs }) => `requests failed until ${recoveryMs} ms after: ${name}`);
}

/** @returns {Map<string, Record<'good' | 'unavailable' | 'unknown' | 'other', number>>} */
function countByKind(/** @type {Response[]} */ responses) {
  const counts = new Map();
  for (const { kind, status } of responses) {
    const count = counts.get(kind) ?? { good: 0, unavailable: 0, unknown: 0, other: 0 };
    count[nameOf(status)] += 1;
    counts.set(kind, count);
  }
  return counts;
}

function nameOf(/** @type {number} */ status) {
  if (isGood(status)) return 'good';
  return status === 503 ? 'unavailable' : status === 504 ? 'unknown' : 'other';
}

/** Returns the longest time without a successful send, between the first and the last request. */
function longestGap(/** @type {Response[]} */ responses) {
  const starts = responses.map(({ startedAt }) => startedAt);
  const ends = responses.filter(({ kind, status }) => kind === 'send' && isGood(status)).map(endOf);
  const moments = [Math.min(...starts), ...ends.sort((one, other) => one - other), Math.max(...starts)];
  return Math.max(0, ...moments.slice(1).map((moment, index) => moment - Number(moments[index])));
}

/** Returns the start of the last request between two times, or the first of these times when no request started. */
function lastStart(
  /** @type {Response[]} */ responses,
  /** @type {number} */ from,
  /** @type {number | undefined} */ until = Infinity,
) {
  const starts = responses.map(({ startedAt }) => startedAt).filter((start) => start >= from && start < until);
  return Math.max(from, ...starts);
}

function endOf(/** @type {Response} */ { startedAt, durationMs }) {
  return startedAt + durationMs;
}

function isGood(/** @type {number} */ status) {
  return status >= 200 && status < 300;
}

function shown(/** @type {Response} */ { kind, status, durationMs, reason }) {
  const why = reason === undefined ? '' : ` (${reason})`;
  return `a ${kind} was answered ${status || 'nothing'} after ${durationMs} ms${why}`;
}
