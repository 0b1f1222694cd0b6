import { AppError, type IdPrefix } from '@switchboard/contracts';

/** Hides the id of a list's last item in a word that fits into a URL; callers must not look inside. */
export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/**
 * The id after which the list goes on.
 * @throws AppError INVALID_PARAMETER when the word is not one of ours, or of another list
 */
export function decodeCursor(cursor: string, prefix: IdPrefix): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  if (new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(id)) return id;
  throw new AppError('INVALID_PARAMETER', { message: 'cursor is invalid', details: [{ field: 'cursor', message: 'cursor is invalid' }] });
}
