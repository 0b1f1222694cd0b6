import { AppError, type IdPrefix } from '@switchboard/contracts';

/** An id out of a path. @throws AppError NOT_FOUND for what cannot be one of this kind */
export function requireId(prefix: IdPrefix, id: string): string {
  if (!new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) throw new AppError('NOT_FOUND');
  return id;
}
