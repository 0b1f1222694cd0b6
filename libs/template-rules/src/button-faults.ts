import type { Fault } from './fault';
import { isJson, type Json } from './draft-content';
import { flowFaults } from './flow-faults';
import { addressVariableFaults, bracedTextsOf, exampleFaults, textFaults } from './variables';

export const MAX_BUTTONS = 10;
export const MAX_BUTTON_TEXT = 25;
const MAX_URL = 2_000;
const MAX_CODE = 20;
const MOST: Record<string, number> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
  CATALOG: 1,
  MPM: 1,
  SPM: 1,
  REQUEST_CONTACT_INFO: 1,
};
export const BUTTON_TYPES = Object.keys(MOST);

/**
 * Validates the buttons of a template other than authentication: each button, their number and their order.
 * @param options.types allowed button types @param options.most maximum number of buttons
 */
export function buttonsFaults({ buttons }: Json, { types: allowed = BUTTON_TYPES, most = MAX_BUTTONS } = {}): Fault[] {
  if (!Array.isArray(buttons) || buttons.length === 0 || buttons.length > most)
    return [{ field: 'buttons', message: `1 to ${most} buttons are needed` }];
  const given: unknown[] = buttons;
  const faults = given.flatMap((button, index) => buttonFaults(`buttons.${index}`, button, allowed));
  if (faults.length > 0) return faults;
  const types = given.map((button) => String((button as Json).type));
  const tooMany = BUTTON_TYPES.filter(
    (type) => types.filter((candidate) => candidate === type).length > (MOST[type] ?? 0),
  );
  const numbers = tooMany.map((type) => ({ field: 'buttons', message: `at most ${MOST[type]} of type ${type}` }));
  return isGrouped(types)
    ? numbers
    : [...numbers, { field: 'buttons', message: 'quick replies must stand together, before or behind the others' }];
}

function buttonFaults(field: string, button: unknown, allowed: readonly string[]): Fault[] {
  if (!isJson(button)) return [{ field, message: 'must be an object' }];
  const type = String(button.type);
  if (!allowed.includes(type)) return [{ field: `${field}.type`, message: `must be one of ${allowed.join(', ')}` }];
  if (type === 'COPY_CODE') return copyCodeFaults(field, button);
  // Needs no validation, because WhatsApp provides its text.
  if (type === 'REQUEST_CONTACT_INFO') return [];
  const faults = [
    ...textFaults(`${field}.text`, button.text, MAX_BUTTON_TEXT),
    ...(/[{}]/.test(String(button.text))
      ? [{ field: `${field}.text`, message: "a button's text has no variables" }]
      : []),
  ];
  if (type === 'PHONE_NUMBER') return [...faults, ...phoneFaults(`${field}.phone_number`, button.phone_number)];
  if (type === 'FLOW') return [...faults, ...flowFaults(field, button)];
  return type === 'URL' ? [...faults, ...urlFaults(field, button)] : faults;
}

function copyCodeFaults(field: string, { example }: Json): Fault[] {
  const code: unknown = Array.isArray(example) ? (example as unknown[])[0] : example;
  const isCode = typeof code === 'string' && code !== '' && code.length <= MAX_CODE;
  return isCode ? [] : [{ field: `${field}.example`, message: `a code of 1 to ${MAX_CODE} characters is needed` }];
}

function phoneFaults(field: string, phone: unknown): Fault[] {
  return typeof phone === 'string' && /^\+?[1-9][0-9]{6,18}$/.test(phone)
    ? []
    : [{ field, message: 'a phone number with its country code is needed, digits only, at most 20 characters' }];
}

function urlFaults(field: string, { url, example }: Json): Fault[] {
  const place = `${field}.url`;
  if (typeof url !== 'string' || url.trim() === '') return [{ field: place, message: 'a link is needed' }];
  const faults = textFaults(place, url, MAX_URL);
  if (faults.length > 0) return faults;
  if (!/^https?:\/\/[^\s/{}]+/i.test(url) || /\s/.test(url))
    return [{ field: place, message: 'must be an http or https address, with nothing variable in its host' }];
  const variables = bracedTextsOf(url);
  const written = addressVariableFaults(place, url);
  if (written.length > 0) return written;
  if (variables.length === 0) return example === undefined ? [] : exampleFaults(`${field}.example`, example, 0);
  if (variables.length > 1 || !url.endsWith('{{1}}') || url.indexOf('{{1}}') < url.length - '{{1}}'.length)
    return [{ field: place, message: 'an address has at most one variable, at its end' }];
  return exampleFaults(`${field}.example`, example, 1);
}

function isGrouped(types: string[]): boolean {
  const isReply = types.map((type) => type === 'QUICK_REPLY');
  return isReply.filter((reply, index) => index > 0 && reply !== isReply[index - 1]).length <= 1;
}
