import { type IdPrefix, notFound } from '@switchboard/contracts';

/** Nouns for the ids that stand in paths. */
const NOUNS: Partial<Record<IdPrefix, string>> = {
  aud: 'entry of the audit log',
  ct: 'contact',
  ep: 'endpoint',
  evt: 'event',
  inv: 'invitation',
  job: 'job',
  key: 'key',
  med: 'file',
  msg: 'message',
  num: 'number',
  rpl: 'replay',
  ses: 'session',
  tpl: 'draft',
  usr: 'member of the team',
};

/** An id out of a path. @throws AppError NOT_FOUND for what cannot be one of this kind */
export function requireId(prefix: IdPrefix, id: string): string {
  if (!new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) throw notFound(NOUNS[prefix] ?? 'id');
  return id;
}

/** The upstream platform's id of a template, out of a path. @throws AppError NOT_FOUND for what cannot be one */
export function requireUpstreamId(id: string): string {
  if (!/^[0-9]{1,32}$/.test(id)) throw notFound('template');
  return id;
}
