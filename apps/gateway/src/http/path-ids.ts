import { AppError, type IdPrefix } from '@switchboard/contracts';

/** An id out of a path. @throws AppError NOT_FOUND for what cannot be one of this kind */
export function requireId(prefix: IdPrefix, id: string): string {
  if (!new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) throw new AppError('NOT_FOUND');
  return id;
}

/** An id that the upstream platform gave, out of a path. @throws AppError NOT_FOUND for what cannot be one */
export function requireUpstreamId(id: string): string {
  if (!/^[0-9]{1,32}$/.test(id)) throw new AppError('NOT_FOUND');
  return id;
}
