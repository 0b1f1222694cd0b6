import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import { isHttpLink } from '../media/media-rules';

type CheckHeaderMedia = (kind: string, media: unknown) => void;

const MEDIA_HEADERS = ['image', 'video', 'document'];
const MOST_BUTTONS = 3;
const MOST_SECTIONS = 10;
const MOST_ROWS = 10;
const MOST_PRODUCTS = 30;

/** Types that support only a text header. */
const TEXT_HEADERS = ['list', 'product_list'];
/** Types without a header. */
const HEADLESS = ['product', 'location_request_message', 'call_permission_request', 'request_contact_info'];

/**
 * Checks the content of an interactive message as the platform does.
 * @throws GraphError 100 for the shape, 131009 for a value
 */
export function checkInteractive(given: unknown, checkMedia: CheckHeaderMedia): void {
  const { type, header, body, footer, action } = objectAt(given, 'interactive');
  const checkAction = ACTIONS[String(type)];
  if (!checkAction)
    throw invalidParameter(
      `Param interactive['type'] must be one of {${Object.keys(ACTIONS).join(', ').toUpperCase()}}.`,
    );
  if (type === 'product_list' && header === undefined)
    throw invalidParameter("The parameter interactive['header'] is required.");
  if (header !== undefined) checkHeader(header, { of: String(type), checkMedia });
  // Only a product message may omit the body.
  if (body !== undefined || type !== 'product')
    textAt(objectAt(body, "interactive['body']"), 'text', { name: 'Body text', most: type === 'list' ? 4_096 : 1_024 });
  if (footer !== undefined)
    textAt(objectAt(footer, "interactive['footer']"), 'text', { name: 'Footer text', most: 60 });
  checkAction(objectAt(action, "interactive['action']"));
}

function checkHeader(given: unknown, { of, checkMedia }: { of: string; checkMedia: CheckHeaderMedia }): void {
  const header = objectAt(given, "interactive['header']");
  const { type } = header;
  const isMedia = MEDIA_HEADERS.includes(String(type)) && !TEXT_HEADERS.includes(of);
  if (HEADLESS.includes(of) || (type !== 'text' && !isMedia))
    throw refusal(131009, `Header type ${String(type)} is not supported for this interactive message`);
  if (isMedia) checkMedia(String(type), header[String(type)]);
  else textAt(header, 'text', { name: 'Header text', most: 60 });
}

const ACTIONS: Record<string, (action: JsonObject) => void> = {
  button: ({ buttons }) => {
    const replies = listAt(buttons, 'buttons').map((button) => {
      if (objectAt(button, 'button').type !== 'reply') throw invalidParameter('Param type must be one of {REPLY}.');
      return objectAt(objectAt(button, 'button').reply, 'reply');
    });
    if (replies.length < 1 || replies.length > MOST_BUTTONS)
      throw refusal(131009, `Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: ${MOST_BUTTONS}`);
    const titles = replies.map((reply) => textAt(reply, 'title', { name: 'Button title', most: 20 }));
    const ids = replies.map((reply) => textAt(reply, 'id', { name: 'Button id', most: 256 }));
    refuseRepeated(titles, 'Button titles');
    refuseRepeated(ids, 'Button ids');
  },
  list: (action) => {
    textAt(action, 'button', { name: 'Button', most: 20 });
    const sections = sectionsOf(action);
    const rows = sections.flatMap(({ rows: given }) => listAt(given, 'rows').map((row) => objectAt(row, 'row')));
    if (rows.length > MOST_ROWS) throw refusal(131009, `Total row count exceed max allowed count: ${MOST_ROWS}`);
    for (const row of rows) {
      notLonger(row, 'title', { name: 'Row title', most: 24 });
      if (row.description !== undefined) notLonger(row, 'description', { name: 'Row description', most: 72 });
    }
    refuseRepeated(
      rows.map((row) => notLonger(row, 'id', { name: 'Row id', most: 200 })),
      'Row ids',
    );
  },
  cta_url: (action) => {
    if (action.name !== 'cta_url') throw invalidParameter("Param action['name'] must be one of {CTA_URL}.");
    const parameters = objectAt(action.parameters, "action['parameters']");
    textAt(parameters, 'display_text', { name: 'Button display text', most: 20 });
    const { url } = parameters;
    if (!isHttpLink(url)) throw refusal(131009, 'URL of the button is not valid');
  },
  location_request_message: (action) => named(action, 'send_location'),
  request_contact_info: (action) => named(action, 'request_contact_info'),
  call_permission_request: (action) => named(action, 'call_permission_request'),
  flow: (action) => {
    named(action, 'flow');
    checkFlow(objectAt(action.parameters, "action['parameters']"));
  },
  catalog_message: (action) => named(action, 'catalog_message'),
  product: (action) => {
    for (const field of ['catalog_id', 'product_retailer_id']) textAt(action, field, { name: field, most: 100 });
  },
  product_list: (action) => {
    textAt(action, 'catalog_id', { name: 'catalog_id', most: 100 });
    const products = sectionsOf(action).flatMap(({ product_items: items }) => {
      const given = listAt(items, 'product_items');
      if (given.length === 0) throw refusal(131009, 'Invalid product_items count. Min allowed product_items: 1');
      return given.map((item) => objectAt(item, 'product_item'));
    });
    if (products.length > MOST_PRODUCTS)
      throw refusal(131009, `Total product count exceed max allowed count: ${MOST_PRODUCTS}`);
    for (const product of products) textAt(product, 'product_retailer_id', { name: 'product_retailer_id', most: 100 });
  },
};

/** Validates the parameters of a flow. Accepts any id or name, because the simulator stores no flows. */
function checkFlow(parameters: JsonObject): void {
  const { flow_id: id, flow_name: name, flow_action: action = 'navigate', flow_action_payload: payload } = parameters;
  oneOf(parameters, 'flow_message_version', ['3']);
  if ((id === undefined) === (name === undefined))
    throw invalidParameter('Exactly one of flow_id and flow_name must be present.');
  textAt(parameters, id === undefined ? 'flow_name' : 'flow_id', { name: 'Flow', most: 200 });
  textAt(parameters, 'flow_cta', { name: 'Flow CTA', most: 30 });
  if (parameters.flow_token !== undefined) textAt(parameters, 'flow_token', { name: 'Flow token', most: 4_096 });
  if (parameters.mode !== undefined) oneOf(parameters, 'mode', ['draft', 'published']);
  if (parameters.flow_action !== undefined) oneOf(parameters, 'flow_action', ['navigate', 'data_exchange']);
  if (payload === undefined) return;
  if (action === 'data_exchange') throw refusal(131009, 'flow_action_payload is not allowed for data_exchange');
  const { screen, data } = objectAt(payload, 'flow_action_payload');
  if (screen !== undefined && typeof screen !== 'string') throw invalidParameter('Param screen must be a string.');
  if (data !== undefined && (!isObject(data) || Object.keys(data).length === 0))
    throw refusal(131009, 'flow_action_payload data must be a non-empty object');
}

function oneOf(object: JsonObject, field: string, allowed: readonly string[]): void {
  if (allowed.includes(object[field] as string)) return;
  throw invalidParameter(`Param ${field} must be one of {${allowed.join(', ').toUpperCase()}}.`);
}

/** Returns the sections of a list of rows or products. */
function sectionsOf(action: JsonObject): JsonObject[] {
  const sections = listAt(action.sections, 'sections').map((section) => objectAt(section, 'section'));
  if (sections.length < 1 || sections.length > MOST_SECTIONS)
    throw refusal(131009, `Invalid sections count. Min allowed sections: 1, Max allowed sections: ${MOST_SECTIONS}`);
  if (sections.length > 1 && sections.some(({ title }) => title === undefined))
    throw refusal(131009, 'Section title is required when there is more than one section');
  for (const section of sections)
    if (section.title !== undefined) notLonger(section, 'title', { name: 'Section title', most: 24 });
  return sections;
}

function named({ name }: JsonObject, wanted: string): void {
  if (name !== wanted) throw invalidParameter(`Param action['name'] must be one of {${wanted.toUpperCase()}}.`);
}

interface TextRule {
  name: string;
  most: number;
}

/** Requires a text of 1 to `most` characters. The platform's error states both bounds. */
function textAt(object: JsonObject, field: string, { name, most }: TextRule): string {
  const text = object[field];
  if (typeof text !== 'string') throw invalidParameter(`The parameter ${field} is required.`);
  if (text.trim() === '' || text.length > most)
    throw refusal(131009, `${name} length invalid. Min length: 1, Max length: ${most}`);
  return text;
}

/** Requires a text like `textAt`, with the platform's wording for parts of a list. */
function notLonger(object: JsonObject, field: string, { name, most }: TextRule): string {
  const text = object[field];
  if (typeof text !== 'string' || text === '') throw invalidParameter(`The parameter ${field} is required.`);
  if (text.length > most) throw refusal(131009, `${name} is too long. Max length is ${most}`);
  return text;
}

function objectAt(value: unknown, param: string): JsonObject {
  if (!isObject(value)) throw invalidParameter(`The parameter ${param} is required.`);
  return value;
}

function listAt(value: unknown, param: string): unknown[] {
  if (!Array.isArray(value)) throw invalidParameter(`Param ${param} must be an array.`);
  return value as unknown[];
}

function refuseRepeated(texts: readonly string[], name: string): void {
  if (new Set(texts).size < texts.length) throw refusal(131009, `${name} must be unique`);
}
