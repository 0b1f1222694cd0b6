import { type IdPrefix, isRecipient, notFound, phoneFault, RECIPIENT_SCHEMA } from '@switchboard/contracts';
import { fieldError } from './field-error';

/** Nouns for error messages, by id prefix. */
const NOUNS: Partial<Record<IdPrefix, string>> = {
  aud: 'entry of the audit log',
  ct: 'contact',
  ep: 'endpoint',
  evt: 'event',
  inv: 'invitation',
  job: 'job',
  key: 'key',
  lbl: 'label',
  med: 'file',
  msg: 'message',
  note: 'note',
  num: 'number',
  rpl: 'replay',
  ses: 'session',
  srp: 'saved reply',
  tpl: 'draft',
  usr: 'member of the team',
};

/** Validates an id from a path. @throws AppError NOT_FOUND for an invalid format */
export function requireId(prefix: IdPrefix, id: string): string {
  if (!new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) throw notFound(NOUNS[prefix] ?? 'id');
  return id;
}

/** Validates an upstream template id from a path. @throws AppError NOT_FOUND for an invalid format */
export function requireUpstreamId(id: string): string {
  if (!/^[0-9]{1,32}$/.test(id)) throw notFound('template');
  return id;
}

/** Path parameter that identifies a contact. */
export const PERSON_PARAMETER = {
  name: 'phone',
  description: 'Phone number, or user id of a contact whose number is hidden',
  schema: { type: 'string' as const, pattern: RECIPIENT_SCHEMA.pattern, example: '919812345678' },
};

/** Validates a phone number or user id from a path. @throws AppError INVALID_PHONE (422) */
export function requirePerson(person: string): string {
  if (isRecipient(person)) return person;
  throw fieldError('INVALID_PHONE', 'phone', phoneFault(person));
}
