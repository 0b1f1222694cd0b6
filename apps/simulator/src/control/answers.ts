import { isObject, type JsonObject } from '../json';
import type { AcceptedMessage } from '../messages/message-log';
import { unixSeconds } from '../messages/statuses';
import { ControlError } from './control-error';

/** Validity of a temporary call permission. */
const PERMISSION_SECONDS = 7 * 24 * 60 * 60;
/** Location that a customer shares by default. */
const PLACE = { latitude: 37.4422, longitude: -122.1616, name: 'Café', address: '101 Forest Ave' };

/** ID of the pressed button or the selected row or product, with optional contents of the reply. */
export type Press = JsonObject & { id: string | undefined };

/** Returns the reply of a customer to an interactive message; undefined if it has no such button, row or product. */
export function answerTo({ body }: AcceptedMessage, press: Press): JsonObject | undefined {
  const { type, action } = objectOf(body.interactive);
  return ANSWERS[String(type)]?.(objectOf(action), press);
}

const ANSWERS: Record<string, (action: JsonObject, press: Press) => JsonObject | undefined> = {
  button: ({ buttons }, { id }) => {
    const reply = (buttons as JsonObject[]).map((button) => objectOf(button.reply)).find((each) => each.id === id);
    return reply && interactive('button_reply', { id: reply.id, title: reply.title });
  },
  list: ({ sections }, { id }) => {
    const row = (sections as JsonObject[]).flatMap(({ rows }) => rows as JsonObject[]).find((each) => each.id === id);
    if (!row) return undefined;
    const { title, description } = row;
    return interactive('list_reply', { id, title, ...(description !== undefined && { description }) });
  },
  flow: ({ parameters }, { id, response = {} }) => {
    if (id !== 'flow') return undefined;
    const { flow_token: token = 'unused' } = objectOf(parameters);
    // Sends a string unchanged, so that tests can submit invalid JSON.
    const text = typeof response === 'string' ? response : JSON.stringify({ flow_token: token, ...objectOf(response) });
    return interactive('nfm_reply', { name: 'flow', body: 'Sent', response_json: text });
  },
  location_request_message: (_action, { id, location = PLACE }) =>
    id === 'send_location' ? { type: 'location', location } : undefined,
  call_permission_request: (_action, { id, response = 'accept', permanent = false }) => {
    if (id !== 'call_permission_request') return undefined;
    if (response !== 'accept' && response !== 'reject') throw new ControlError('response: one of accept, reject');
    const ends = response === 'accept' && permanent !== true;
    return interactive('call_permission_reply', {
      response,
      ...(response === 'accept' && { is_permanent: permanent === true }),
      ...(ends && { expiration_timestamp: Number(unixSeconds()) + PERMISSION_SECONDS }),
      response_source: 'user_action',
    });
  },
  product: ({ catalog_id: catalog, product_retailer_id: product }, press) =>
    press.id === product ? order(catalog, press) : undefined,
  product_list: ({ catalog_id: catalog, sections }, press) => {
    const items = (sections as JsonObject[]).flatMap(({ product_items: products }) => products as JsonObject[]);
    return items.some((item) => item.product_retailer_id === press.id) ? order(catalog, press) : undefined;
  },
};

function interactive(kind: string, reply: JsonObject): JsonObject {
  return { type: 'interactive', interactive: { type: kind, [kind]: reply } };
}

function order(catalog: unknown, { id, quantity = 1, price = 30, currency = 'USD', text }: Press): JsonObject {
  const item = { product_retailer_id: id, quantity, item_price: price, currency };
  const note = typeof text === 'string' ? { text } : {};
  return { type: 'order', order: { catalog_id: catalog, ...note, product_items: [item] } };
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
