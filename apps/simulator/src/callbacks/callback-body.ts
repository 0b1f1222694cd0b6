import type {
  UpstreamCallback,
  UpstreamCallbackError,
  UpstreamContact,
  UpstreamMessagesValue,
  UpstreamStatus,
  UpstreamTemplateValue,
} from '@switchboard/upstream';
import type { BusinessNumber } from '../numbers/number-store';

/** A status of one of our messages; contacts are absent on failed ones. */
export interface StatusUpdate {
  kind: 'status';
  number: BusinessNumber;
  status: UpstreamStatus;
  contact?: UpstreamContact;
  /** Called when the receiver answered 200 to it. */
  onReceived?: () => void;
}

/** With every field that the platform fills. */
export type CallbackError = Required<UpstreamCallbackError>;

/** Any other change, as it will stand in the callback. */
export interface ChangeUpdate {
  kind: 'change';
  wabaId: string;
  /** Unix seconds; only fields of the account and its templates have it. */
  time?: number;
  field: string;
  value: object;
}

export type CallbackUpdate = StatusUpdate | ChangeUpdate;

type Entry = UpstreamCallback['entry'][number];

/** What every value of field `messages` starts with. */
export function valueFor(number: BusinessNumber): UpstreamMessagesValue {
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number.displayDigits, phone_number_id: number.id },
  };
}

/**
 * The bytes of one callback for all these updates: statuses of a number share a value, other changes stand alone,
 * everything of an account and a time shares an entry.
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
  // A failed status has no contacts, so it must not share a value with one that has.
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

/** The platform writes ASCII only: non-ASCII as \uXXXX and the slash as \/. The signature is over these bytes. */
export function escapeAsUpstream(json: string): string {
  return json.replace(/[\u0080-\uffff/]/g, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
