import type { UpstreamTemplateButton } from '@switchboard/upstream';
import { invalidParameter } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import { readFlowButton } from './create-kinds';
import { checkLength } from './create-text';
import { variablesOf } from './parameters';
import { MAX_COUPON } from './validate-buttons';

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
const MAX_BUTTONS = 10;
const MAX_BUTTON_TEXT = 25;
const MAX_URL = 2_000;

/**
 * Reads the buttons of a new template.
 * @throws GraphError 100 for a kind, number, order or field that the platform rejects
 */
export function readNewButtons(given: unknown): UpstreamTemplateButton[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_BUTTONS || !given.every(isObject)) {
    throw invalidParameter(`A template can have 1 to ${MAX_BUTTONS} buttons.`);
  }
  const buttons = given.map((button: JsonObject) => ({ ...button, type: String(button.type).toUpperCase() }));
  buttons.forEach(checkButton);
  for (const [type, most] of Object.entries(MOST)) {
    if (buttons.filter((button) => button.type === type).length > most)
      throw invalidParameter(`A template can have ${most} buttons of type ${type}.`);
  }
  checkGrouping(buttons.map(({ type }) => type));
  return buttons.map((button) => {
    if (button.type === 'REQUEST_CONTACT_INFO') return { type: button.type, text: 'Share contact info' };
    return button.type === 'FLOW' ? readFlowButton(button) : button;
  });
}

function checkButton(button: UpstreamTemplateButton): void {
  if (!(button.type in MOST))
    throw invalidParameter(`Param type of a button must be one of {${Object.keys(MOST).join(', ')}}.`);
  // The platform sets its text.
  if (button.type === 'REQUEST_CONTACT_INFO') return;
  if (button.type === 'COPY_CODE') {
    if (!hasExample(button.example)) throw invalidParameter('A copy-code button needs an example.');
    checkLength('example of a copy-code button', firstOf(button.example), MAX_COUPON);
    return;
  }
  checkLength('text of a button', button.text, MAX_BUTTON_TEXT);
  if (button.type === 'PHONE_NUMBER') checkLength('phone number of a button', button.phone_number, 20);
  if (button.type === 'URL') checkUrl(checkLength('URL of a button', button.url, MAX_URL), button.example);
}

function checkUrl(url: string, example: unknown): void {
  if (!/^https?:\/\//i.test(url)) throw invalidParameter('The URL of a button is not valid.');
  const variables = variablesOf(url);
  if (variables.length === 0) return;
  if (variables.length > 1 || !url.endsWith('}}'))
    throw invalidParameter('The URL of a button can have one variable, at its end.');
  if (!hasExample(example)) throw invalidParameter('The URL of a button with a variable needs an example.');
}

function firstOf(example: unknown): unknown {
  return Array.isArray(example) ? (example as unknown[])[0] : example;
}

function hasExample(example: unknown): boolean {
  const first = firstOf(example);
  return typeof first === 'string' && first !== '';
}

/** Requires quick replies to be adjacent, either before or after the other buttons. */
function checkGrouping(types: string[]): void {
  const changes = types.filter(
    (type, index) => index > 0 && (type === 'QUICK_REPLY') !== (types[index - 1] === 'QUICK_REPLY'),
  ).length;
  if (changes > 1) throw invalidParameter('Invalid combination of buttons: quick replies must be grouped.');
}
