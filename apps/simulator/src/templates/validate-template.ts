import type { UpstreamTemplateButton, UpstreamTemplateComponent } from '@switchboard/upstream';
import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import type { StoredTemplate } from './seed';
import type { TemplateStore } from './template-store';

const MAX_BODY = 1_024;
const MAX_OTP = 15;
const VARIABLE = /\{\{[^}]+\}\}/g;
// A line break, a tab or more than four spaces in a row.
const FORBIDDEN_TEXT = /[\n\r\t]| {5,}/;

/**
 * Checks a template send against the stored template as strictly as the platform does.
 * @throws GraphError 132001 (unknown, or not sendable), 132015, 132016, 132000, 132005, 132012, 132018, 131008, 100
 */
export function checkTemplateSend(send: unknown, templates: TemplateStore): StoredTemplate {
  if (!isObject(send)) throw invalidParameter('The parameter template is required.');
  const template = findSendable(send, templates);
  const components = readComponents(send.components);
  checkHeader(template, components);
  checkBody(template, components);
  checkButtons(template, components);
  return template;
}

function findSendable(send: JsonObject, templates: TemplateStore): StoredTemplate {
  const { name, language } = send;
  if (typeof name !== 'string' || !name) throw invalidParameter("The parameter template['name'] is required.");
  const code = isObject(language) ? language.code : undefined;
  if (typeof code !== 'string' || !code) throw invalidParameter("The parameter template['language']['code'] is required.");
  const template = templates.find(name, code);
  if (template?.status === 'PAUSED') throw refusal(132015, 'Template is paused due to low quality');
  if (template?.status === 'DISABLED') throw refusal(132016, 'Template is disabled');
  if (template?.status !== 'APPROVED') throw refusal(132001, `template name (${name}) does not exist in ${code}`);
  return template;
}

function readComponents(components: unknown): JsonObject[] {
  if (components === undefined) return [];
  if (!Array.isArray(components) || !components.every(isObject)) {
    throw invalidParameter("Param template['components'] must be an array of objects.");
  }
  const types = ['header', 'body', 'button'];
  components.forEach((component, index) => {
    if (!types.includes(String(component.type).toLowerCase())) {
      throw invalidParameter(`Param template['components'][${index}]['type'] must be one of {HEADER, BODY, BUTTON}.`);
    }
  });
  return components;
}

const ofType = (components: JsonObject[], type: string): JsonObject[] =>
  components.filter((component) => String(component.type).toLowerCase() === type);

const partOf = (template: StoredTemplate, type: string): UpstreamTemplateComponent | undefined =>
  template.components.find((component) => component.type === type);

const variablesIn = (text: string | undefined): number => new Set(text?.match(VARIABLE)).size;

function parametersOf(component: JsonObject | undefined): JsonObject[] {
  const parameters = component?.parameters;
  return Array.isArray(parameters) ? parameters.filter(isObject) : [];
}

function checkCount(where: string, given: number, expected: number): void {
  if (given === expected) return;
  throw refusal(132000, `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`);
}

function checkText(where: string, parameter: JsonObject): string {
  if (parameter.type !== 'text' || typeof parameter.text !== 'string') {
    throw refusal(132012, `${where}: Format mismatch, expected TEXT, received ${String(parameter.type ?? 'unknown').toUpperCase()}`);
  }
  if (parameter.text === '') throw invalidParameter(`The parameter text of ${where} must not be empty.`);
  if (FORBIDDEN_TEXT.test(parameter.text)) {
    throw refusal(132018, `${where}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`);
  }
  return parameter.text;
}

function checkHeader(template: StoredTemplate, components: JsonObject[]): void {
  const header = partOf(template, 'HEADER');
  const parameters = parametersOf(ofType(components, 'header')[0]);
  if (!header || header.format === 'TEXT') {
    checkCount('header', parameters.length, variablesIn(header?.text));
    parameters.forEach((parameter) => checkText('header', parameter));
    return;
  }
  const received = String(parameters[0]?.type ?? 'UNKNOWN').toUpperCase();
  if (received !== header.format) throw refusal(132012, `header: Format mismatch, expected ${header.format}, received ${received}`);
}

function checkBody(template: StoredTemplate, components: JsonObject[]): void {
  const text = partOf(template, 'BODY')?.text ?? '';
  const parameters = parametersOf(ofType(components, 'body')[0]);
  checkCount('body', parameters.length, variablesIn(text));
  const values = parameters.map((parameter) => checkText('body', parameter));
  if (template.category === 'AUTHENTICATION') values.forEach(checkOtp);
  const length = text.replace(VARIABLE, '').length + values.join('').length;
  if (length > MAX_BODY) throw refusal(132005, `body: text is too long (${length} > ${MAX_BODY})`);
}

function checkOtp(value: string): void {
  if (value.length > MAX_OTP) throw invalidParameter(`The verification code must be at most ${MAX_OTP} characters long.`);
}

function checkButtons(template: StoredTemplate, components: JsonObject[]): void {
  const buttons = partOf(template, 'BUTTONS')?.buttons ?? [];
  const given = ofType(components, 'button');
  given.forEach((component) => checkButtonIndex(component, buttons));
  buttons.forEach((button, index) => {
    const component = given.find((candidate) => Number(candidate.index) === index);
    if (button.type === 'URL' && variablesIn(button.url) > 0) checkUrlButton(component, index);
  });
}

function checkButtonIndex(component: JsonObject, buttons: UpstreamTemplateButton[]): void {
  const index = typeof component.index === 'string' || typeof component.index === 'number' ? Number(component.index) : NaN;
  const button = buttons[index];
  if (!button) throw refusal(132012, `buttons: no button at index ${String(component.index)} in the template`);
  if (String(component.sub_type).toUpperCase() !== button.type) {
    throw refusal(132012, `buttons: Format mismatch at index ${index}, expected ${button.type}, received ${String(component.sub_type).toUpperCase()}`);
  }
  if (button.type === 'URL' && variablesIn(button.url) === 0) {
    checkCount('buttons', parametersOf(component).length, 0);
  }
}

function checkUrlButton(component: JsonObject | undefined, index: number): void {
  const parameters = parametersOf(component);
  if (parameters.length === 0) throw refusal(131008, `buttons: Button at index ${index} of type Url requires a parameter`);
  checkCount('buttons', parameters.length, 1);
  checkText('buttons', parameters[0]!);
}
