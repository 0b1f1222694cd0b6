import type {
  UpstreamCallback,
  UpstreamCallbackError,
  UpstreamContact,
  UpstreamMessagesValue,
  UpstreamStatus,
  UpstreamTemplateValue,
} from '@switchboard/upstream';
import type { BusinessNumber } from '../numbers/number-store';

/** Status of an outbound message. Failed statuses have no contacts. */
export interface StatusUpdate {
  kind: 'status';
  number: BusinessNumber;
  status: UpstreamStatus;
  contact?: UpstreamContact;
  /** Called when the receiver returns 200. */
  onReceived?: () => void;
}

/** Error with every field that the platform fills. */
export type CallbackError = Required<UpstreamCallbackError>;

/** Any other change, as it appears in the callback. */
export interface ChangeUpdate {
  kind: 'change';
  wabaId: string;
  /** Unix seconds. Set only for fields of the account and its templates. */
  time?: number;
  field: string;
  value: object;
}

export type CallbackUpdate = StatusUpdate | ChangeUpdate;

type Entry = UpstreamCallback['entry'][number];

/** Returns the common part of every value of the field `messages`. */
export function valueFor(number: BusinessNumber): UpstreamMessagesValue {
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number.displayDigits, phone_number_id: number.id },
  };
}

/**
 * Encodes updates as one callback. The statuses of a number share a value, and other changes each have their own.
 * Updates with the same account and time share an entry.
 */
export function callbackBody(updates: readonly CallbackUpdate[]): Buffer {
  const entries = new Map<string, Entry>();
  const values = new Map<string, UpstreamMessagesValue>();
  for (const update of updates) {
    if (update.kind === 'status') addStatus(entries, values, update);
    else
      entryOf(entries, update.wabaId, update.time).changes.push({
        value: update.value as UpstreamTemplateValue,
        field: update.field,
      });
  }
  const callback: UpstreamCallback = { object: 'whatsapp_business_account', entry: [...entries.values()] };
  return Buffer.from(escapeAsUpstream(JSON.stringify(callback)), 'latin1');
}

function entryOf(entries: Map<string, Entry>, wabaId: string, time: number | undefined): Entry {
  const key = `${wabaId}@${time ?? ''}`;
  const existing = entries.get(key);
  if (existing) return existing;
  const entry: Entry = { id: wabaId, ...(time !== undefined && { time }), changes: [] };
  entries.set(key, entry);
  return entry;
}

function addStatus(
  entries: Map<string, Entry>,
  values: Map<string, UpstreamMessagesValue>,
  { number, status, contact }: StatusUpdate,
): void {
  // Failed statuses have no contacts, so they must not share a value with statuses that do.
  const key = `${number.id}:${contact ? 'known' : 'failed'}`;
  let value = values.get(key);
  if (!value) {
    value = { ...valueFor(number), ...(contact && { contacts: [] }), statuses: [] };
    values.set(key, value);
    entryOf(entries, number.wabaId, undefined).changes.push({ value, field: 'messages' });
  }
  value.statuses?.push(status);
  const contacts = value.contacts ?? [];
  if (contact && contacts.at(-1)?.user_id !== contact.user_id) contacts.push(contact);
}

/** Escapes JSON like the platform: non-ASCII as \uXXXX and the slash as \/. The signature covers these bytes. */
export function escapeAsUpstream(json: string): string {
  return json.replace(/[\u0080-\uffff/]/g, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
