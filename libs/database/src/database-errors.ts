import { types } from 'node:util';

/** No connection was established, so no statement was sent. `cause` holds the reason. */
export class DatabaseUnreachedError extends Error {
  override readonly name = 'DatabaseUnreachedError';
}

/** Operating system codes of connections that fail or break. */
const NETWORK_CODES =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(HOST|NET)(UNREACH|DOWN)|NETRESET|NOTFOUND|AI_AGAIN|NOENT)$/;
/** Error messages of the driver and its pool that have no code. The last one is TypeORM's. */
const DRIVER_MESSAGES =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Connection ended|Driver not Connected/i;

/**
 * SQLSTATE codes of a session that has ended or is about to: connection exceptions (class 08), operator intervention
 * (57P: shut down, crashed, starting up, database dropped, idle session ended) and a terminated idle transaction.
 */
const SESSION_ENDED = /^(08|57P|25P0[34])/;
/**
 * SQLSTATE codes of a server that temporarily rejects work: read-only after a demotion, out of disk, memory or
 * connections, not ready, disk errors.
 */
const SERVER_REFUSES = /^(25006|53|55000|58)/;
/**
 * Subset of these codes that a single statement may cause: an object in the wrong state, too much memory, too large
 * temporary files.
 */
const STATEMENT_REFUSED = ['55000', '53200', '53400'];
/** Statement timeout, which affects every statement on an overloaded server. */
const TOO_SLOW = '57014';
/** Lock timeout, because another transaction holds the row. */
const ROW_HELD = '55P03';
/** Deadlock and serialization failure, for which the server rolls back one of the transactions. */
const CROSSED = ['40P01', '40001'];

/**
 * Returns whether an error means that the database is unavailable, as opposed to a faulty statement. The statement
 * itself may be fine, so it is retried for as long as the outage lasts.
 */
export function isDatabaseAway(error: unknown): boolean {
  // Not instanceof: network errors may come from another realm.
  if (!types.isNativeError(error)) return false;
  const parts = partsOf(error);
  if (parts) return parts.every(isDatabaseAway);
  return (
    ['DatabaseUnreachedError', 'OutcomeUnknownError'].includes(error.name) ||
    isSessionLost(error) ||
    isServerRefusal(error)
  );
}

/**
 * Returns whether the statement itself may have caused the apparent outage. That is certain if it fails again while
 * other statements succeed.
 */
export function mayBeStatementsFault(error: unknown): boolean {
  return types.isNativeError(error) && STATEMENT_REFUSED.includes(codeOf(error));
}

/**
 * Returns whether concurrent work prevented a statement, which had no effect: the server is overloaded, the statement
 * is heavy, a row is locked, or transactions deadlocked.
 */
export function isDatabaseBusy(error: unknown): boolean {
  return types.isNativeError(error) && [TOO_SLOW, ROW_HELD, ...CROSSED].includes(codeOf(error));
}

/** Returns whether the caller should retry later, because the database is unavailable or busy. */
export const isDatabaseUnavailable = (error: unknown): boolean => isDatabaseAway(error) || isDatabaseBusy(error);

/**
 * Returns whether a batch failed for a reason unrelated to its items, so that retrying them one by one would not help.
 * A locked row concerns a single item.
 */
export function failsWholeBatch(error: unknown): boolean {
  return isDatabaseAway(error) || (types.isNativeError(error) && codeOf(error) === TOO_SLOW);
}

/**
 * Returns whether the statement certainly had no effect: it was not sent, or the server rejected it. If the database is
 * unavailable in any other way, the statement may have been executed.
 */
export function isDatabaseUnreached(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const parts = partsOf(error);
  if (parts) return parts.every(isDatabaseUnreached);
  if (error.name === 'DatabaseUnreachedError' || isServerRefusal(error)) return true;
  return UNREACHED_CODES.has(codeOf(error)) || isDatabaseBusy(error) || UNREACHED_MESSAGE.test(error.message);
}

const UNREACHED_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', '57P03']);
const UNREACHED_MESSAGE = /timeout exceeded when trying to connect/i;

/**
 * Returns whether a connection is unusable after this error: it is broken, silent, or connected to a read-only server.
 */
export function isConnectionSpent(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  return error.name === 'OutcomeUnknownError' || isSessionLost(error) || isServerRefusal(error);
}

/** Returns whether the other connections are probably unusable too: the server went silent or was demoted. */
export function areOthersSpent(error: unknown): boolean {
  return isSilence(error) || (types.isNativeError(error) && codeOf(error) === '25006');
}

/**
 * Returns whether a session went silent: the server did not even report a statement timeout. Connections that received
 * a response after the statement was sent are not affected.
 */
export function isSilence(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  return error.message === 'Query read timeout' || (error.name === 'OutcomeUnknownError' && isSilence(error.cause));
}

function isSessionLost(error: Error): boolean {
  const code = codeOf(error);
  return NETWORK_CODES.test(code) || SESSION_ENDED.test(code) || DRIVER_MESSAGES.test(error.message);
}

const isServerRefusal = (error: Error): boolean => SERVER_REFUSES.test(codeOf(error));

/** Returns the errors of a connection attempt to several addresses of one host, one for each address. */
function partsOf(error: Error): unknown[] | undefined {
  return 'errors' in error && Array.isArray(error.errors) && error.errors.length > 0 ? error.errors : undefined;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
