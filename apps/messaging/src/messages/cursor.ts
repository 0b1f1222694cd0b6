import { AppError } from '@switchboard/contracts';

/** The place of a message in an account's list, newest first. */
export interface ListPosition {
  /** Creation time with microseconds, as PostgreSQL wrote it: a shorter form would skip or repeat messages. */
  createdAt: string;
  id: string;
}

const CREATED_AT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const ID = /^[a-z0-9_]{1,64}$/;

/** Hides a position in a word that fits into a URL; callers must not look inside. */
export function encodeCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

/** @throws AppError INVALID_PARAMETER when the word is not one of ours */
export function decodeCursor(cursor: string): ListPosition {
  const [createdAt = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const isOurs = rest.length === 0 && ID.test(id) && CREATED_AT.test(createdAt) && !Number.isNaN(Date.parse(createdAt));
  if (!isOurs) throw new AppError('INVALID_PARAMETER', { message: 'cursor is invalid', details: [{ field: 'cursor', message: 'cursor is invalid' }] });
  return { createdAt, id };
}
