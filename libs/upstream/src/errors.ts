import type { ErrorCode } from '@switchboard/contracts';

/** Category of an upstream error (spec §5.3.3). */
export type UpstreamErrorCategory =
  | 'auth'
  | 'rate_limit'
  | 'integrity'
  | 'template'
  | 'window'
  | 'undeliverable'
  | 'media'
  | 'optout'
  | 'credit'
  | 'other';

export interface UpstreamErrorDescription {
  title: string;
  category: UpstreamErrorCategory;
  /** True when the same request may succeed later without a change. */
  retriable: boolean;
  /** Error code for the caller of a synchronous send (spec §3.8.5). */
  answer: ErrorCode;
  /** True when all sends of the number fail until its credentials, registration or standing are fixed. */
  stopsNumber: boolean;
  /** Automatic retries of a rejected call. Absent when the call must not be retried. */
  backoff?: Backoff;
  /** Time after which the caller may retry, in seconds; absent where it is unknown. */
  retryAfterSeconds?: number;
}

/**
 * Backoff after consecutive rejections. After the n-th one (from 0), nothing is sent within the scope for `firstMs *
 * factor ** n` milliseconds.
 */
export interface Backoff {
  /**
   * What the rejection applies to: this message, this pair of sending number and recipient, the sending number, or all
   * numbers of the account.
   */
  scope: 'message' | 'pair' | 'number' | 'account';
  firstMs: number;
  factor: number;
  /** Maximum number of retries of one call, regardless of the remaining time. */
  times: number;
}

/** Further property of a code: `retriable` in general, a kind of backoff, or `stops-number`. */
type Trait = 'retriable' | 'stops-number' | keyof typeof BACKOFFS;
type Row = [title: string, category: UpstreamErrorCategory, answer: ErrorCode, trait?: Trait];

/** Kinds of backoff. Codes with one of them are retriable. */
const BACKOFFS = {
  once: { scope: 'message', firstMs: 250, factor: 2, times: 1 },
  fewTimes: { scope: 'message', firstMs: 250, factor: 2, times: 3 },
  pair: { scope: 'pair', firstMs: 1_000, factor: 4, times: 8 },
  number: { scope: 'number', firstMs: 250, factor: 2, times: 20 },
  account: { scope: 'account', firstMs: 2_000, factor: 2, times: 8 },
} as const satisfies Record<string, Backoff>;

/** Retry times of codes for conditions that last longer than a few seconds. */
const RETRY_AFTER_SECONDS: Record<number, number> = {
  4: 60,
  80007: 60,
  130429: 5,
  131048: 3_600,
  131049: 86_400,
  131064: 3_600,
  132069: 60,
  133008: 3_600,
  133009: 60,
  133015: 300,
  133016: 3_600,
  134101: 60,
  2494100: 300,
};

const ROWS: Record<number, Row> = {
  0: ['Authentication failed', 'auth', 'UPSTREAM_ERROR', 'stops-number'],
  1: ['Unknown API error', 'other', 'UPSTREAM_ERROR', 'once'],
  2: ['API service unavailable', 'other', 'UPSTREAM_ERROR', 'fewTimes'],
  3: ['Capability or permission missing', 'auth', 'UPSTREAM_ERROR', 'stops-number'],
  4: ['Application request limit reached', 'rate_limit', 'UPSTREAM_THROTTLED', 'account'],
  10: ['Permission denied', 'auth', 'UPSTREAM_ERROR', 'stops-number'],
  33: ['Business phone number deleted', 'other', 'UPSTREAM_ERROR', 'stops-number'],
  100: ['Invalid parameter', 'other', 'INVALID_PARAMETER'],
  104: ['Access token missing', 'auth', 'UPSTREAM_ERROR', 'stops-number'],
  190: ['Access token expired or invalid', 'auth', 'UPSTREAM_ERROR', 'stops-number'],
  368: ['Temporarily blocked for policy violations', 'integrity', 'UPSTREAM_ERROR', 'stops-number'],
  80007: ['Account request limit reached', 'rate_limit', 'UPSTREAM_THROTTLED', 'account'],
  130403: ['This business has blocked the recipient', 'undeliverable', 'RECIPIENT_BLOCKED'],
  130429: ['Rate limit hit', 'rate_limit', 'UPSTREAM_THROTTLED', 'number'],
  130472: ['Recipient is part of an experiment', 'undeliverable', 'INVALID_VALUE'],
  130497: ['Business restricted from messaging users in this country', 'integrity', 'UPSTREAM_ERROR'],
  131000: ['Something went wrong', 'other', 'UPSTREAM_ERROR', 'fewTimes'],
  131005: ['Access denied', 'auth', 'UPSTREAM_ERROR', 'stops-number'],
  131008: ['Required parameter is missing', 'other', 'INVALID_PARAMETER'],
  131009: ['Parameter value is not valid', 'other', 'INVALID_PARAMETER'],
  131016: ['Service unavailable', 'other', 'UPSTREAM_ERROR', 'fewTimes'],
  131021: ['Recipient cannot be sender', 'undeliverable', 'INVALID_VALUE'],
  131026: ['Message undeliverable', 'undeliverable', 'INVALID_VALUE'],
  131030: ['Recipient phone number not in allowed list', 'undeliverable', 'INVALID_PARAMETER'],
  131031: ['Account locked', 'integrity', 'UPSTREAM_ERROR', 'stops-number'],
  131036: ['Not delivered to the main device of the recipient', 'undeliverable', 'INVALID_VALUE'],
  131037: ['Display name approval needed', 'integrity', 'UPSTREAM_ERROR', 'stops-number'],
  // Free messages, such as replies within the service window, are still sent, so the number is not stopped (ADR 4).
  131042: ['Business eligibility payment issue', 'credit', 'UPSTREAM_ERROR'],
  131045: ['Incorrect certificate', 'auth', 'UPSTREAM_ERROR', 'stops-number'],
  131047: ['Re-engagement message', 'window', 'WINDOW_CLOSED'],
  131048: ['Spam rate limit hit', 'rate_limit', 'UPSTREAM_THROTTLED'],
  131049: ['Not delivered to maintain healthy ecosystem engagement', 'undeliverable', 'UPSTREAM_THROTTLED'],
  131050: ['Recipient stopped marketing messages', 'optout', 'RECIPIENT_OPTED_OUT'],
  131051: ['Unsupported message type', 'other', 'INVALID_PARAMETER'],
  131052: ['Media download error', 'media', 'UNSUPPORTED_MEDIA'],
  131053: ['Media upload error', 'media', 'UNSUPPORTED_MEDIA'],
  131055: ['Marketing messages configuration', 'other', 'INVALID_PARAMETER'],
  131056: ['Pair rate limit hit', 'rate_limit', 'UPSTREAM_THROTTLED', 'pair'],
  131057: ['Account in maintenance mode', 'other', 'UPSTREAM_ERROR', 'retriable'],
  131059: ['Invalid pagination cursor', 'other', 'UPSTREAM_ERROR'],
  131060: ['Message unavailable for the moment', 'other', 'UPSTREAM_ERROR', 'retriable'],
  131062: ['Recipient id not supported for this message', 'other', 'PHONE_REQUIRED'],
  131063: ['Marketing messages configuration', 'other', 'INVALID_PARAMETER'],
  131064: ['Messaging limit due to template misclassification', 'rate_limit', 'UPSTREAM_THROTTLED'],
  132000: ['Number of template parameters does not match', 'template', 'TEMPLATE_PARAMS_MISMATCH'],
  132001: ['Template does not exist', 'template', 'TEMPLATE_NOT_FOUND'],
  132005: ['Template text too long', 'template', 'TEMPLATE_PARAMS_MISMATCH'],
  132007: ['Template format character policy violated', 'template', 'TEMPLATE_PARAMS_MISMATCH'],
  132012: ['Template parameter format does not match', 'template', 'TEMPLATE_PARAMS_MISMATCH'],
  132015: ['Template is paused', 'template', 'TEMPLATE_NOT_APPROVED'],
  132016: ['Template is disabled', 'template', 'TEMPLATE_NOT_APPROVED'],
  132018: ['Template parameter holds characters that are not allowed', 'template', 'TEMPLATE_PARAMS_MISMATCH'],
  132068: ['Flow is blocked', 'template', 'INVALID_PARAMETER'],
  132069: ['Flow is throttled', 'rate_limit', 'UPSTREAM_THROTTLED'],
  133000: ['Earlier deregistration not completed', 'other', 'UPSTREAM_ERROR'],
  133004: ['Server temporarily unavailable', 'other', 'UPSTREAM_ERROR', 'fewTimes'],
  133005: ['Two-step verification PIN incorrect', 'other', 'INVALID_VALUE'],
  133006: ['Phone number not verified', 'other', 'UPSTREAM_ERROR'],
  133008: ['Too many guesses of the two-step verification PIN', 'rate_limit', 'UPSTREAM_THROTTLED'],
  133009: ['Two-step verification PIN given too soon again', 'rate_limit', 'UPSTREAM_THROTTLED'],
  133010: ['Phone number not registered', 'other', 'UPSTREAM_ERROR', 'stops-number'],
  133015: ['Deletion of the phone number not completed', 'other', 'UPSTREAM_ERROR', 'retriable'],
  133016: ['Registration rate limit hit', 'rate_limit', 'UPSTREAM_ERROR'],
  134011: ['Terms of payments not accepted by the business', 'other', 'UPSTREAM_ERROR'],
  134100: ['Marketing messages configuration', 'other', 'INVALID_PARAMETER'],
  134101: ['Template still being synchronised', 'template', 'UPSTREAM_ERROR', 'retriable'],
  134102: ['Template not available for marketing messages', 'template', 'UPSTREAM_ERROR'],
  135000: ['Generic user error', 'other', 'INVALID_PARAMETER', 'once'],
  137000: ['Identity of the recipient has changed', 'undeliverable', 'INVALID_VALUE'],
  147001: ['User name not available', 'other', 'INVALID_VALUE'],
  147002: ['Business not eligible for a user name', 'other', 'INVALID_VALUE'],
  147003: ['Facebook page of the user name not linked', 'other', 'INVALID_VALUE'],
  147004: ['Instagram account of the user name not linked', 'other', 'INVALID_VALUE'],
  139100: ['Block list not changed', 'other', 'INVALID_VALUE'],
  139101: ['Block list is full', 'other', 'INVALID_VALUE'],
  139102: ['Block list changed meanwhile', 'other', 'UPSTREAM_ERROR', 'retriable'],
  139103: ['Internal error of the block list', 'other', 'UPSTREAM_ERROR', 'retriable'],
};

/** Descriptions of numbers that the platform uses as subcodes of 100, or in place of a code. */
const DETAILED_ROWS: Record<number, Row> = {
  2388012: ['Phone number already in this account', 'other', 'INVALID_VALUE'],
  2388019: ['Template limit of the account reached', 'template', 'INVALID_VALUE'],
  2388023: ['Template name still being deleted', 'template', 'INVALID_VALUE'],
  2388024: ['Template exists in this language', 'template', 'INVALID_VALUE'],
  2388039: ['Template cannot be changed now', 'template', 'INVALID_VALUE'],
  2388040: ['Text of the template too long', 'template', 'INVALID_VALUE'],
  2388047: ['Header of the template incorrect', 'template', 'INVALID_VALUE'],
  2388072: ['Body of the template incorrect', 'template', 'INVALID_VALUE'],
  2388073: ['Footer of the template incorrect', 'template', 'INVALID_VALUE'],
  2388091: ['Phone number not being migrated', 'other', 'INVALID_VALUE'],
  2388093: ['Phone number not being migrated', 'other', 'INVALID_VALUE'],
  2388103: ['Phone number cannot be migrated', 'other', 'INVALID_VALUE'],
  2388273: ['Sample of the header missing', 'template', 'INVALID_VALUE'],
  2388293: ['Too many variables for the length of the template', 'template', 'INVALID_VALUE'],
  2388299: ['Variable at the beginning or end of the template', 'template', 'INVALID_VALUE'],
  // The file uploaded for a send has expired.
  2494009: ['Uploaded media not found', 'media', 'UNSUPPORTED_MEDIA'],
  2494100: ['Phone number in maintenance mode', 'other', 'UPSTREAM_ERROR', 'retriable'],
  2593107: ['Synchronisation of the number already requested', 'other', 'INVALID_VALUE'],
  2593108: ['Synchronisation possible in the first 24 hours only', 'other', 'INVALID_VALUE'],
};

const PERMISSION: Row = ['Permission missing', 'auth', 'UPSTREAM_ERROR', 'stops-number'];
// An unknown or inaccessible id of a number or account is a problem of the account, not a mistake of the caller.
const UNKNOWN_OBJECT: Row = ['Unknown object or missing permission', 'auth', 'UPSTREAM_ERROR', 'stops-number'];
const SUBCODE_UNKNOWN_OBJECT = 33;
const CODE_INVALID_PARAMETER = 100;

export const KNOWN_UPSTREAM_CODES: readonly number[] = [ROWS, DETAILED_ROWS].flatMap(Object.keys).map(Number);

/** Returns the code to look up: the subcode if the code is 100 and the subcode is known, otherwise the code. */
function decisiveOf(code: number, subcode: number | undefined): number {
  return code === CODE_INVALID_PARAMETER && subcode !== undefined && subcode in DETAILED_ROWS ? subcode : code;
}

function findRow(code: number): Row | undefined {
  return code >= 200 && code <= 299 ? PERMISSION : (ROWS[code] ?? DETAILED_ROWS[code]);
}

export function isKnownUpstreamCode(code: number): boolean {
  return findRow(code) !== undefined;
}

/**
 * Describes an upstream error code, synchronous or from a callback. Only the code (and subcodes of 100) counts, because
 * titles and HTTP statuses change upstream. An unlisted code is `other`, not retriable, UPSTREAM_ERROR, and its title
 * includes its number.
 */
export function describeUpstreamError(code: number, subcode?: number): UpstreamErrorDescription {
  if (code === CODE_INVALID_PARAMETER && subcode === SUBCODE_UNKNOWN_OBJECT) return describeRow(UNKNOWN_OBJECT);
  const decisive = decisiveOf(code, subcode);
  const row = findRow(decisive) ?? [`Unknown upstream error ${code}`, 'other', 'UPSTREAM_ERROR'];
  return describeRow(row, RETRY_AFTER_SECONDS[decisive]);
}

/**
 * Describes a rejection because of a missing or wrong app secret proof, or returns undefined for any other error. All
 * invalid parameters have the same code, so only the message distinguishes this one. The fault is in the setting, not
 * the number: once it is corrected, sends work again automatically.
 */
export function describeProofRefusal(code: number, message: string): UpstreamErrorDescription | undefined {
  if (code !== CODE_INVALID_PARAMETER || !message.includes('appsecret_proof')) return undefined;
  const title = /\brequires?\b/i.test(message)
    ? 'The app requires a proof by its app secret (appsecret_proof)'
    : 'The proof by the app secret is not valid (appsecret_proof)';
  return describeRow([title, 'auth', 'UPSTREAM_ERROR', 'retriable']);
}

/** Describes a 429 response without a known code. Its `Retry-After` sets the first delay. */
export function describeTooManyRequests(retryAfterSeconds?: number): UpstreamErrorDescription {
  const asked = retryAfterSeconds === undefined ? {} : { firstMs: retryAfterSeconds * 1_000, factor: 1 };
  return {
    ...describeRow(['Too many requests', 'rate_limit', 'UPSTREAM_THROTTLED'], retryAfterSeconds),
    retriable: true,
    backoff: { ...BACKOFFS.account, ...asked },
  };
}

function describeRow([title, category, answer, trait]: Row, retryAfterSeconds?: number): UpstreamErrorDescription {
  const backoff = trait !== undefined && trait in BACKOFFS ? BACKOFFS[trait as keyof typeof BACKOFFS] : undefined;
  return {
    title,
    category,
    answer,
    retriable: trait === 'retriable' || backoff !== undefined,
    stopsNumber: trait === 'stops-number',
    ...(backoff && { backoff }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
