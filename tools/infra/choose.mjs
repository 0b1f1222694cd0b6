// @ts-check

/** @typedef {'given' | 'ports' | 'docker' | 'local'} Kind */
/**
 * @template T
 * @typedef {{ ok: true, found: T } | { ok: false, why: string }} Attempt
 */
/**
 * @template T
 * @typedef {{ kind: Kind, attempt: () => Promise<Attempt<T>> }} Way
 */

/** @type {readonly Kind[]} */
const KINDS = ['given', 'ports', 'docker', 'local'];

/** Parses `SWITCHBOARD_INFRA`; undefined when it is not set. */
export function forcedKind(/** @type {string | undefined} */ value) {
  if (!value) return undefined;
  const kind = KINDS.find((known) => known === value);
  if (!kind) throw new Error(`SWITCHBOARD_INFRA is "${value}": it must be one of ${KINDS.join(', ')}`);
  return kind;
}

/**
 * Returns the kinds of server to try, in order. A server given by its URL has no fallback, which would write its data
 * to another server. Otherwise the server with this installation's data comes first, so that data does not seem to
 * vanish when another server appears on a default port.
 * @param {{ forced?: Kind | undefined, isGiven: boolean, earlier?: Kind | undefined, isOwn?: boolean }} facts `isOwn`:
 * several servers, which only the installation itself can start
 * @returns {readonly Kind[]}
 */
export function orderOfWays({ forced, isGiven, earlier, isOwn = false }) {
  if (isOwn && (isGiven || (forced && forced !== 'local')))
    throw new Error('--broker-nodes and --standby start servers: unset the address and SWITCHBOARD_INFRA');
  if (isOwn) return ['local'];
  if (forced) return [forced];
  if (isGiven) return ['given'];
  const rest = KINDS.filter((kind) => kind !== 'given');
  if (earlier !== 'docker' && earlier !== 'local') return rest;
  return [earlier, ...rest.filter((kind) => kind !== earlier)];
}

/**
 * Returns the requested number of servers, or the previous one. The number cannot change, because the data would be
 * left behind.
 * @param {string} what
 * @param {number | undefined} asked
 * @param {{ kind: Kind, size: number } | undefined} earlier
 */
export function sizeOf(what, asked, earlier) {
  const size = asked ?? earlier?.size ?? 1;
  const isOther = earlier !== undefined && (earlier.size !== size || (size > 1 && earlier.kind !== 'local'));
  if (!isOther) return size;
  throw new Error(
    `the data of this installation is on ${earlier.size} × ${what} (${earlier.kind}), not ${size}: remove it with \`npm run reset\`, or set SWITCHBOARD_HOME to another folder`,
  );
}

/**
 * Tries kinds of servers in order.
 * @template T
 * @param {string} what
 * @param {readonly Kind[]} order
 * @param {Record<Kind, () => Promise<Attempt<T>>>} ways
 * @param {string} waysOut advice to the user when none works
 * @returns {Promise<T & { kind: Kind }>}
 */
export async function firstThatWorks(what, order, ways, waysOut) {
  const reasons = [];
  for (const kind of order) {
    const attempt = await ways[kind]();
    if (attempt.ok) return { ...attempt.found, kind };
    reasons.push(`  ${kind}: ${attempt.why}`);
  }
  throw new Error(`no ${what} that we can use:\n${reasons.join('\n')}\n${waysOut}`);
}

/**
 * Returns a human-readable reason of a failure. The error of a connection that failed on several addresses has an empty
 * message and a list of errors.
 * @param {any} error
 * @returns {string}
 */
export function reasonOf(error) {
  if (Array.isArray(error?.errors)) return error.errors.map(reasonOf).join('; ');
  return error?.message || error?.code || String(error);
}
