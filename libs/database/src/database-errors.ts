import { types } from 'node:util';

/** No connection came about, so no statement was sent. The cause says why. */
export class DatabaseUnreachedError extends Error {
  override readonly name = 'DatabaseUnreachedError';
}

/** Codes of the operating system when no connection comes about or one breaks. */
const NETWORK_CODES =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(HOST|NET)(UNREACH|DOWN)|NETRESET|NOTFOUND|AI_AGAIN|NOENT)$/;
/** The driver and its pool say these without a code, and TypeORM the last one. */
const DRIVER_MESSAGES =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Connection ended|Driver not Connected/i;

/**
 * PostgreSQL's own codes of a session that is over or going to be: connection exceptions (class 08), operator
 * intervention (57P: shut down, crashed, starting up, database dropped, idle session ended) and an idle transaction
 * that was ended.
 */
const SESSION_ENDED = /^(08|57P|25P0[34])/;
/**
 * A server that refuses work which it takes at other times: read-only since it was demoted, out of disk, memory or
 * connections, not ready, broken disk.
 */
const SERVER_REFUSES = /^(25006|53|55000|58)/;
/**
 * Of these, the ones that a single statement of ours may cause: an object that is not in the state it needs, too much
 * memory, too large temporary files.
 */
const STATEMENT_REFUSED = ['55000', '53200', '53400'];
/** A statement that took longer than it may, as everything does on a server that is overloaded. */
const TOO_SLOW = '57014';
/** Somebody else holds a row for longer than a statement waits. */
const ROW_HELD = '55P03';
/** Of transactions that wait for each other, or that saw what the other changed, the server ends one as a whole. */
const CROSSED = ['40P01', '40001'];

/**
 * Whether an error says that the database cannot do its work now, as opposed to a statement that is wrong. The error
 * says nothing about the statement, so that is tried again, however long it takes.
 */
export function isDatabaseAway(error: unknown): boolean {
  // Not instanceof: the network's errors may come from another realm.
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
 * Whether an outage may be a mistake of the statement that met it: it is one when others go through and this one fails
 * again.
 */
export function mayBeStatementsFault(error: unknown): boolean {
  return types.isNativeError(error) && STATEMENT_REFUSED.includes(codeOf(error));
}

/**
 * Whether others kept the database from a statement, which so did nothing: it is overloaded, the statement is heavy, a
 * row is held, or transactions crossed.
 */
export function isDatabaseBusy(error: unknown): boolean {
  return types.isNativeError(error) && [TOO_SLOW, ROW_HELD, ...CROSSED].includes(codeOf(error));
}

/** Whether a caller is told to come back later: the database is away or busy. */
export const isDatabaseUnavailable = (error: unknown): boolean => isDatabaseAway(error) || isDatabaseBusy(error);

/**
 * Whether a batch's failure says nothing about its items, so that trying them one by one would only repeat it; a held
 * row is one item's.
 */
export function failsWholeBatch(error: unknown): boolean {
  return isDatabaseAway(error) || (types.isNativeError(error) && codeOf(error) === TOO_SLOW);
}

/**
 * Whether the statement certainly did nothing: it was not sent, or the server refused it. Otherwise, when the database
 * is away, the statement may have been carried out.
 */
export function isDatabaseUnreached(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const parts = partsOf(error);
  if (parts) return parts.every(isDatabaseUnreached);
  if (error.name === 'DatabaseUnreachedError' || isServerRefusal(error)) return true;
  return UNREACHED_CODES.has(codeOf(error)) || isDatabaseBusy(error) || UNREACHED_MESSAGE.test(error.message);
}

/** How it fails when no connection comes about in the first place. */
const UNREACHED_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', '57P03']);
const UNREACHED_MESSAGE = /timeout exceeded when trying to connect/i;

/**
 * Whether a connection is of no use after this error: it broke, it is silent, or it leads to a server that takes no
 * writes any more.
 */
export function isConnectionSpent(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  return error.name === 'OutcomeUnknownError' || isSessionLost(error) || isServerRefusal(error);
}

/**
 * Whether the other connections that were made before are as bad, most likely: the server went silent, or it was
 * demoted.
 */
export function areOthersSpent(error: unknown): boolean {
  return isSilence(error) || (types.isNativeError(error) && codeOf(error) === '25006');
}

/**
 * Whether a session went silent: the server had not even said in time that a statement takes too long. Those that
 * answered since it was asked are not.
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

/** An attempt on several addresses of one name fails with an error for each. */
function partsOf(error: Error): unknown[] | undefined {
  return 'errors' in error && Array.isArray(error.errors) && error.errors.length > 0 ? error.errors : undefined;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
