import { type IdPrefix, isPhone, isRecipient, notFound, phoneFault, RECIPIENT_SCHEMA } from '@switchboard/contracts';
import { fieldError } from './field-error';

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

/** How the path of a conversation is described. */
export const PERSON_PARAMETER = {
  name: 'phone',
  description: 'A phone number, or the user id of a person who hides theirs',
  schema: { type: 'string' as const, pattern: RECIPIENT_SCHEMA.pattern, example: '919812345678' },
};

/** A phone number or a user id, out of a path. @throws AppError INVALID_PHONE (422) */
export function requirePerson(person: string): string {
  if (isRecipient(person)) return person;
  throw fieldError('INVALID_PHONE', 'phone', phoneFault(person));
}

/** A phone number, out of a path. @throws AppError INVALID_PHONE (422) */
export function requirePhone(phone: string): string {
  if (isPhone(phone)) return phone;
  throw fieldError('INVALID_PHONE', 'phone', phoneFault(phone));
}
