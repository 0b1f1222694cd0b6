// @ts-check
// Reads the catalogue of documented platform shapes: samples of requests, error responses and callbacks.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {'request' | 'response' | 'callback'} Direction response: the platform's error response to a send */
/**
 * @typedef {'handled' | 'raw' | 'rejected'} Handling handled: becomes a request, a record or a typed error;
 * raw: stored with the name of its field, but not interpreted; rejected: deliberately unsupported
 */
/**
 * @typedef {{
 *   id: string,
 *   name: string,
 *   direction: Direction,
 *   handling: Handling,
 *   reason?: string,
 *   page: string,
 *   read: string,
 *   sample: any,
 *   request?: Record<string, any>,
 *   template?: { category: string, components: object[], parameter_format?: string },
 *   marketing?: boolean,
 *   call?: string,
 *   arguments?: Record<string, any>,
 *   keeps?: string,
 *   status?: number,
 *   result?: any,
 * }} Shape
 * page: documentation page; read: day on which the page was read; request: body of `POST /v1/messages/send` without the
 * recipient; template: template that the send uses; call, arguments: method of the upstream client and its arguments;
 * keeps: name under which later shapes refer to the returned id; status: HTTP status of a response; result: expected
 * request, records or error, or a part of them
 */

const FOLDER = import.meta.dirname;
/** Root of the platform's documentation. */
const PAGES = 'https://developers.facebook.com/documentation/business-messaging/whatsapp/';

export const NUMBER_ID = '200000000000002';
export const WABA_ID = '100000000000001';
export const CUSTOMER = '919812345678';
const DISPLAY_NUMBER = '15550783881';
const CONTACT = {
  profile: { name: 'Ana Test' },
  wa_id: CUSTOMER,
  user_id: 'IN.10000000919812345678',
};

/** Returns all shapes, with complete samples. @returns {Shape[]} */
export function readShapes() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((name) => {
    const { read, shapes } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
    return shapes.map((/** @type {any} */ shape) => complete({ read, ...shape }));
  });
}

/** Adds the parts that all shapes of a kind share. @returns {Shape} */
function complete(/** @type {any} */ { page, message, status: given, field, value, ...shape }) {
  const full = { ...shape, page: page.startsWith('https:') ? page : PAGES + page };
  if (message && shape.request)
    return { ...full, direction: 'request', sample: sendOf(message, shape.marketing === true) };
  if (message)
    return callbackOf(full, 'messages', messagesValue({ contacts: [CONTACT], messages: [fromContact(message)] }));
  if (given && typeof given === 'object')
    return callbackOf(full, 'messages', messagesValue({ statuses: [ofMessage(given)] }));
  if (field) return callbackOf(full, field, value);
  return given === undefined ? full : { ...full, status: given };
}

function sendOf(/** @type {object} */ message, /** @type {boolean} */ isMarketing) {
  const to = 'recipient' in message ? {} : { to: `+${CUSTOMER}` };
  const body = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...to,
    ...message,
    biz_opaque_callback_data: 'msg_01',
    ...(isMarketing && { product_policy: 'CLOUD_API_FALLBACK' }),
  };
  return { method: 'POST', path: `/{version}/${NUMBER_ID}/${isMarketing ? 'marketing_messages' : 'messages'}`, body };
}

/** @returns {Shape} */
function callbackOf(/** @type {any} */ shape, /** @type {string} */ field, /** @type {any} */ value) {
  const { time, ...rest } = shape;
  const entry = { id: WABA_ID, ...(time !== undefined && { time }), changes: [{ field, value: named(value) }] };
  return { ...rest, direction: 'callback', sample: { object: 'whatsapp_business_account', entry: [entry] } };
}

/** Adds the business number to the values of fields that have one. */
function named(/** @type {any} */ value) {
  return value && 'metadata' in value ? messagesValue(value) : value;
}

function messagesValue(/** @type {object} */ value) {
  const metadata = { display_phone_number: DISPLAY_NUMBER, phone_number_id: NUMBER_ID };
  return { messaging_product: 'whatsapp', ...value, metadata };
}

function fromContact(/** @type {object} */ message) {
  return { from: CUSTOMER, from_user_id: CONTACT.user_id, id: 'wamid.IN', timestamp: '1790416800', ...message };
}

function ofMessage(/** @type {object} */ status) {
  return { id: 'wamid.OUT', timestamp: '1790416830', recipient_id: CUSTOMER, ...status };
}

const ID = /^[a-z]+(\.[a-z0-9_-]+)+$/;
const DAY = /^20\d\d-[01]\d-[0-3]\d$/;
const PAGE = /^https:\/\/developers\.facebook\.com\/(docs|documentation)\/[a-z0-9_/#-]+$/i;

/** Validates the format of the catalogue. @returns {string[]} problems */
export function catalogueProblems(/** @type {Shape[]} */ shapes) {
  const ids = shapes.map(({ id }) => id);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is listed twice`),
    ...shapes.flatMap(({ id, name, page, read, direction, handling, reason, sample }) => [
      ...(ID.test(id) ? [] : [`${id}: invalid id`]),
      ...(name ? [] : [`${id} has no name`]),
      ...(PAGE.test(page) ? [] : [`${id}: invalid page ${page}`]),
      ...(DAY.test(read) ? [] : [`${id} has no day on which its page was read`]),
      ...(['request', 'response', 'callback'].includes(direction) ? [] : [`${id}: invalid direction ${direction}`]),
      ...(['handled', 'raw', 'rejected'].includes(handling) ? [] : [`${id}: invalid handling ${handling}`]),
      ...(handling === 'rejected' && !reason ? [`${id} is rejected without a reason`] : []),
      ...(sample === undefined ? [`${id} has no sample`] : []),
    ]),
  ];
}
