import type { UpstreamTemplateButton } from '@switchboard/upstream';
import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import { checkCount, parametersOf, readText, variablesOf } from './parameters';

export const MAX_COUPON = 20;
const MAX_SECTIONS = 10;
const MAX_PRODUCTS = 30;

/**
 * Checks the button components of a send against the template's buttons, by index.
 * @throws GraphError 132012, 131008, 132000, 132018, 100
 */
export function checkButtons(buttons: UpstreamTemplateButton[], given: JsonObject[]): void {
  given.forEach((component) => checkPlace(component, buttons));
  buttons.forEach((button, index) => {
    const components = given.filter((candidate) => Number(candidate.index) === index);
    if (components.length > 1)
      throw invalidParameter(`Param template['components'] has two buttons of index ${index}.`);
    checkButton(button, index, components[0]);
  });
}

function checkPlace({ index: given, sub_type: subType }: JsonObject, buttons: UpstreamTemplateButton[]): void {
  const index = typeof given === 'string' || typeof given === 'number' ? Number(given) : NaN;
  const button = buttons[index];
  if (!button) throw refusal(132012, `buttons: no button at index ${String(given)} in the template`);
  const received = String(subType).toUpperCase();
  if (received === button.type) return;
  throw refusal(132012, `buttons: Format mismatch at index ${index}, expected ${button.type}, received ${received}`);
}

function checkButton(button: UpstreamTemplateButton, index: number, component: JsonObject | undefined): void {
  const parameters = parametersOf(component);
  if (parameters.some(({ parameter_name: name }) => name !== undefined))
    throw refusal(132012, `buttons: Parameter name is not expected at index ${index}`);
  if (button.type === 'URL' && variablesOf(button.url).length > 0)
    return checkOne(parameters, index, 'Url', (parameter) => void readText('buttons', parameter));
  if (button.type === 'COPY_CODE') return checkOne(parameters, index, 'CopyCode', checkCoupon);
  if (button.type === 'QUICK_REPLY') return checkPayload(parameters, index);
  if (button.type === 'FLOW') return checkOne(parameters, index, 'Flow', (parameter) => void readAction(parameter));
  if (button.type === 'MPM') return checkOne(parameters, index, 'Mpm', checkProducts);
  if (button.type === 'CATALOG')
    return parameters.forEach((parameter) => checkProduct(readAction(parameter).thumbnail_product_retailer_id));
  checkCount('buttons', parameters.length, 0);
}

function checkOne(parameters: JsonObject[], index: number, kind: string, check: (parameter: JsonObject) => void): void {
  if (parameters.length === 0)
    throw refusal(131008, `buttons: Button at index ${index} of type ${kind} requires a parameter`);
  checkCount('buttons', parameters.length, 1);
  check(parameters[0]!);
}

function checkCoupon({ type, coupon_code: coupon }: JsonObject): void {
  if (type !== 'coupon_code')
    throw refusal(132012, `buttons: Format mismatch, expected COUPON_CODE, received ${String(type).toUpperCase()}`);
  if (typeof coupon !== 'string' || !coupon || coupon.length > MAX_COUPON) {
    throw invalidParameter(`The parameter coupon_code must have 1 to ${MAX_COUPON} characters.`);
  }
}

/** Checks the payload of a quick reply, which is optional and defaults to the button's text. */
function checkPayload(parameters: JsonObject[], index: number): void {
  if (parameters.length === 0) return;
  checkCount('buttons', parameters.length, 1);
  const { type, payload } = parameters[0]!;
  if (type !== 'payload' || typeof payload !== 'string')
    throw refusal(132012, `buttons: Format mismatch at index ${index}, expected PAYLOAD`);
}

function readAction({ type, action }: JsonObject): JsonObject {
  if (type !== 'action')
    throw refusal(132012, `buttons: Format mismatch, expected ACTION, received ${String(type).toUpperCase()}`);
  if (!isObject(action)) throw invalidParameter('The parameter action of buttons is required.');
  return action;
}

function checkProduct(id: unknown): void {
  if (typeof id !== 'string' || id === '')
    throw invalidParameter('The parameter product_retailer_id must be the id of a product.');
}

/** Allows up to 30 products in up to 10 sections. Multiple sections need titles. */
function checkProducts(parameter: JsonObject): void {
  const { thumbnail_product_retailer_id: thumbnail, sections } = readAction(parameter);
  checkProduct(thumbnail);
  if (!Array.isArray(sections) || sections.length < 1 || sections.length > MAX_SECTIONS || !sections.every(isObject))
    throw invalidParameter(`Param sections must have 1 to ${MAX_SECTIONS} sections.`);
  const items = sections.flatMap(({ product_items: given }) => (Array.isArray(given) ? given : []) as unknown[]);
  if (items.length < 1 || items.length > MAX_PRODUCTS)
    throw invalidParameter(`Param sections must have 1 to ${MAX_PRODUCTS} products.`);
  items.forEach((item) => checkProduct(isObject(item) ? item.product_retailer_id : undefined));
  if (sections.length > 1 && !sections.every(({ title }) => typeof title === 'string' && title !== ''))
    throw invalidParameter('Each of several sections needs a title.');
}
