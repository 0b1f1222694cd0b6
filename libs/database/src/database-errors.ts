import { types } from 'node:util';

/** Codes of the operating system when no connection comes about or one breaks. */
const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);
/** PostgreSQL's own: connection exceptions, too many connections, shutting down or starting up. */
const SQL_STATES = /^(08...|53300|57P0[1-3])$/;
/** The driver and its pool say these without a code, and TypeORM the last one. */
const DRIVER_MESSAGES = /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Connection ended|Driver not Connected/i;

/** Whether an error says that the database cannot be reached, as opposed to a statement that failed. */
export function isDatabaseAway(error: unknown): boolean {
  // Not instanceof: the network's errors may come from another realm.
  if (!types.isNativeError(error)) return false;
  if (error.name === 'OutcomeUnknownError') return true;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return error.errors.every(isDatabaseAway);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return NETWORK_CODES.has(code) || SQL_STATES.test(code) || DRIVER_MESSAGES.test(error.message);
}

/** How it fails when no connection comes about in the first place. */
const UNREACHED_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', '53300', '57P03']);
const UNREACHED_MESSAGE = /timeout exceeded when trying to connect/i;

/** Whether the statement certainly did not reach the database. Otherwise, when it is away, the statement may have been carried out. */
export function isDatabaseUnreached(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return error.errors.every(isDatabaseUnreached);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return UNREACHED_CODES.has(code) || UNREACHED_MESSAGE.test(error.message);
}
