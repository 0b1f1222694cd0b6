import {
  type AccountNotice,
  camelCaseKeys,
  jsonBytes,
  type NoticeSeverity,
  type NumberRestriction,
} from '@switchboard/contracts';

/** A human-readable notice, read from a callback about a business account. */
export interface ReadNotice {
  notice: AccountNotice;
  severity: NoticeSeverity;
  summary: string;
  /** WABA that the notice is about. In a callback to a partner, it differs from the callback's own WABA. */
  wabaId: string;
  /** Digits of the number that the notice is about. Null for the whole business. */
  phoneNumber: string | null;
  /** Upstream id of the number that the notice is about. */
  phoneNumberId: string | null;
  restrictions: NumberRestriction[];
  messagingLimit: string | null;
  /**
   * True for a limit that accompanies another change. Such a limit is published only if it differs from the previous
   * one.
   */
  isLimitBeside: boolean;
  details: object;
}

export interface NumberCallback {
  wabaId: string;
  field: string;
  value: object;
}

type Fields = Partial<Record<string, unknown>>;
type Words = Pick<ReadNotice, 'notice' | 'severity' | 'summary'> & Partial<ReadNotice>;

/** Maximum length in characters. The platform's values are shorter. */
const MAX_TEXT = 512;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_TEXT) || null : null;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** @returns `PARTNER_APP_INSTALLED` as "partner app installed" */
const wordsOf = (name: string): string => name.replaceAll('_', ' ').toLowerCase();

/** Reads a time. The platform gives it as Unix seconds or, for some accounts, as text with a time zone. */
function timeOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const seconds = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : NaN;
  const time = new Date(Number.isNaN(seconds) ? value : seconds * 1_000);
  const isTime = !Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 2000 && time.getUTCFullYear() < 2200;
  return isTime && value !== 0 ? time.toISOString() : null;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const inWords = (time: string): string => `${DAY.format(new Date(time))}, ${CLOCK.format(new Date(time))} UTC`;

// Maps, because a plain object inherits members such as "constructor".
const RESTRICTIONS = new Map([
  ['RESTRICTED_BIZ_INITIATED_MESSAGING', 'no messages that start a conversation'],
  ['RESTRICTED_CUSTOMER_INITIATED_MESSAGING', 'no answers to customers'],
  ['RESTRICTED_ADD_PHONE_NUMBER_ACTION', 'no new numbers'],
]);
const SEVERITIES = new Map<string | null, NoticeSeverity>([
  ['CRITICAL', 'critical'],
  ['WARNING', 'warning'],
]);
/** Limits that keep the event small enough. */
const RESTRICTIONS_MAX = 20;
const RESTRICTION_MAX_CHARACTERS = 64;

function restriction(value: Fields): Words {
  const given = Array.isArray(value['restriction_info']) ? value['restriction_info'].slice(0, RESTRICTIONS_MAX) : [];
  const restrictions = given.map(fieldsOf).flatMap(({ restriction_type, expiration }) => {
    const type = textOf(restriction_type)?.slice(0, RESTRICTION_MAX_CHARACTERS) ?? null;
    return type === null ? [] : [{ type, until: timeOf(expiration) }];
  });
  const [first] = restrictions;
  const isSameEnd = restrictions.every(({ until }) => until === first?.until);
  const until = first?.until && isSameEnd ? ` until ${inWords(first.until)}` : '';
  const what = restrictions.map(({ type }) => RESTRICTIONS.get(type) ?? wordsOf(type)).join(', ');
  const summary = `The platform restricted the business${until}${what && `: ${what}`}`;
  return { notice: 'restriction', severity: 'critical', summary, restrictions };
}

function ban(value: Fields): Words {
  const { waba_ban_state: state, waba_ban_date } = fieldsOf(value['ban_info']);
  const date = textOf(waba_ban_date);
  const on = date === null ? '' : ` on ${date}`;
  if (state === 'DISABLE')
    return {
      notice: 'disabled',
      severity: 'critical',
      summary: `The platform disabled the business${on}: nothing is sent from its numbers`,
    };
  if (state === 'SCHEDULE_FOR_DISABLE')
    return {
      notice: 'disable_scheduled',
      severity: 'critical',
      summary: `The platform will disable the business${on}`,
    };
  if (state === 'REINSTATE')
    return {
      notice: 'reinstated',
      severity: 'info',
      summary: 'The platform reinstated the business: its numbers may send again',
    };
  return { notice: 'other', severity: 'warning', summary: 'The platform reported a change of a ban of the business' };
}

function accountUpdate(value: Fields): Words {
  const event = textOf(value['event']) ?? '';
  const { waba_id } = fieldsOf(value['waba_info']);
  const wabaId = textOf(waba_id);
  if (event === 'ACCOUNT_RESTRICTION') return restriction(value);
  if (event === 'DISABLED_UPDATE') return ban(value);
  if (event === 'ACCOUNT_DELETED')
    return { notice: 'deleted', severity: 'critical', summary: 'The business account was deleted at the platform' };
  if (event === 'ACCOUNT_VIOLATION') {
    const type = textOf(fieldsOf(value['violation_info'])['violation_type']);
    const kind = type === null ? '' : `: ${wordsOf(type)}`;
    return {
      notice: 'violation',
      severity: 'warning',
      summary: `The business violated a policy of the platform${kind}`,
    };
  }
  const what = event === '' ? 'a change of the business account' : wordsOf(event);
  return {
    notice: 'other',
    severity: 'info',
    summary: `The platform reported: ${what}`,
    ...(wabaId !== null && { wabaId }),
  };
}

function alert(value: Fields): Words {
  const info = { ...value, ...fieldsOf(value['alert_info']) } as Fields;
  const severity = SEVERITIES.get(textOf(info['alert_severity'])) ?? 'info';
  const type = textOf(info['alert_type']);
  const summary =
    textOf(info['alert_description']) ??
    (type ? `The platform reported: ${wordsOf(type)}` : 'The platform raised an alert');
  const isOfNumber = value['entity_type'] === 'PHONE_NUMBER';
  return {
    notice: 'alert',
    severity,
    summary,
    phoneNumberId: isOfNumber ? textOf(value['entity_id']) : null,
  };
}

function review(value: Fields): Words {
  const decision = textOf(value['decision']) ?? 'unknown';
  const severity = decision === 'REJECTED' ? 'critical' : decision === 'APPROVED' ? 'info' : 'warning';
  return { notice: 'review', severity, summary: `The platform's review of the business account: ${wordsOf(decision)}` };
}

function name(value: Fields): Words {
  const decision = textOf(value['decision']) ?? 'unknown';
  const asked = textOf(value['requested_verified_name']);
  const reason = textOf(value['rejection_reason']);
  const why = reason === null || reason === 'NONE' ? '' : ` (${wordsOf(reason)})`;
  return {
    notice: 'name',
    severity: decision === 'REJECTED' ? 'warning' : 'info',
    summary: `The name ${asked === null ? 'of the number' : `“${asked}”`}: ${wordsOf(decision)}${why}`,
  };
}

const TIERS: Record<string, string> = {
  250: '250',
  1000: '1K',
  2000: '2K',
  10000: '10K',
  100000: '100K',
  '-1': 'UNLIMITED',
};

/**
 * Normalizes a limit, which the platform gives as a number or as a tier.
 * @returns a tier such as `TIER_2K`
 */
function limitOf(value: unknown): string | null {
  const text = textOf(value);
  if (text === null || text.startsWith('TIER_')) return text;
  return /^-?\d+$/.test(text) ? `TIER_${TIERS[text] ?? text}` : null;
}

function limit(value: Fields, field: string): Words | undefined {
  const messagingLimit =
    limitOf(value['max_daily_conversations_per_business']) ??
    limitOf(value['max_daily_conversation_per_phone']) ??
    limitOf(value['current_limit']);
  if (messagingLimit === null) return undefined;
  const before = limitOf(value['old_limit']);
  const people =
    messagingLimit === 'TIER_UNLIMITED' ? 'any number of' : messagingLimit.replace('TIER_', '').replace('K', ',000');
  return {
    notice: 'limit',
    severity: 'info',
    messagingLimit,
    summary: `The business may write first to ${people} people within 24 hours`,
    isLimitBeside: field === 'phone_number_quality_update' && (before === null || before === messagingLimit),
    // The limit applies to all numbers of the business, whichever number the callback names.
    phoneNumber: null,
  };
}

function wordsFor(field: string, value: Fields): Words | undefined {
  switch (field) {
    case 'account_update':
      return accountUpdate(value);
    case 'account_alerts':
      return alert(value);
    case 'account_review_update':
      return review(value);
    case 'phone_number_name_update':
      return name(value);
    case 'business_capability_update':
    case 'phone_number_quality_update':
      return limit(value, field);
    default:
      return undefined;
  }
}

/** Maximum size of the details in an event. A normal report has a few hundred bytes. */
const DETAILS_MAX_BYTES = 8_192;
const SHORT_MEMBERS = 16;
const SHORT_CHARACTERS = 128;

/** Returns the whole report, or only its short members if it is too large for an event. */
function detailsOf(value: object): object {
  const details = camelCaseKeys(value) as object;
  if (jsonBytes(details) <= DETAILS_MAX_BYTES) return details;
  const isShort = (member: unknown): boolean =>
    typeof member === 'number' || (typeof member === 'string' && member.length <= SHORT_CHARACTERS);
  const kept = Object.entries(details).filter(([name, member]) => name.length <= SHORT_CHARACTERS && isShort(member));
  return Object.fromEntries(kept.slice(0, SHORT_MEMBERS));
}

/**
 * Reads a callback about a business account.
 * @returns undefined if the callback is not relevant to an account
 */
export function readNotice({ wabaId, field, value }: NumberCallback): ReadNotice | undefined {
  const fields = value as Fields;
  const words = wordsFor(field, fields);
  if (!words) return undefined;
  const digits = (textOf(fields['display_phone_number']) ?? '').replaceAll(/\D/g, '');
  return {
    wabaId,
    phoneNumber: digits || null,
    phoneNumberId: null,
    restrictions: [],
    messagingLimit: null,
    isLimitBeside: false,
    details: detailsOf(value),
    ...words,
  };
}
