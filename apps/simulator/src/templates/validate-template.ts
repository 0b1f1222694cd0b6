import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import {
  checkCount,
  checkNames,
  componentOf,
  mismatch,
  parametersOf,
  readLocalizable,
  readText,
  variablesOf,
  withoutVariables,
} from './parameters';
import type { StoredTemplate } from './seed';
import type { TemplateStore } from './template-store';
import { checkButtons } from './validate-buttons';
import { checkCarousel, checkOffer } from './validate-carousel';

const MAX_BODY = 1_024;
const MAX_OTP = 15;

/** Checks the media of a header, like those of a message. */
export type CheckHeaderMedia = (kind: string, media: unknown) => void;

/**
 * Checks a template send against the stored template as strictly as the platform.
 * @throws GraphError 132001 (unknown, or not sendable), 132015, 132016, 132000, 132005, 132012, 132018, 131008, 100
 */
export function checkTemplateSend(
  send: unknown,
  templates: Pick<TemplateStore, 'find'>,
  checkMedia: CheckHeaderMedia,
): StoredTemplate {
  if (!isObject(send)) throw invalidParameter('The parameter template is required.');
  const template = findSendable(send, templates);
  const components = readComponents(send.components, [...PARTS, 'limited_time_offer', 'carousel']);
  checkParts(template, components, checkMedia);
  checkOffer(template, only(components, 'limited_time_offer'));
  checkCarousel(template, only(components, 'carousel'), (card, given) =>
    checkParts(card, readComponents(given, PARTS), checkMedia),
  );
  return template;
}

/** Components that a template and each of its cards have in common. */
const PARTS = ['header', 'body', 'button'];

function checkParts(template: StoredTemplate, components: JsonObject[], checkMedia: CheckHeaderMedia): void {
  checkHeader(template, only(components, 'header'), checkMedia);
  checkBody(template, only(components, 'body'));
  checkButtons(componentOf(template, 'BUTTONS')?.buttons ?? [], ofType(components, 'button'));
}

function findSendable(send: JsonObject, templates: Pick<TemplateStore, 'find'>): StoredTemplate {
  const { name, language } = send;
  if (typeof name !== 'string' || !name) throw invalidParameter("The parameter template['name'] is required.");
  const code = isObject(language) ? language.code : undefined;
  if (typeof code !== 'string' || !code)
    throw invalidParameter("The parameter template['language']['code'] is required.");
  const template = templates.find(name, code);
  if (template?.status === 'PAUSED') throw refusal(132015, 'Template is paused due to low quality');
  if (template?.status === 'DISABLED') throw refusal(132016, 'Template is disabled');
  if (template?.status !== 'APPROVED') throw refusal(132001, `template name (${name}) does not exist in ${code}`);
  return template;
}

function readComponents(components: unknown, types: readonly string[]): JsonObject[] {
  if (components === undefined) return [];
  if (!Array.isArray(components) || !components.every(isObject)) {
    throw invalidParameter("Param template['components'] must be an array of objects.");
  }
  components.forEach((component, index) => {
    if (!types.includes(String(component.type).toLowerCase())) {
      const known = types.map((type) => type.toUpperCase()).join(', ');
      throw invalidParameter(`Param template['components'][${index}]['type'] must be one of {${known}}.`);
    }
  });
  return components;
}

const ofType = (components: JsonObject[], type: string): JsonObject[] =>
  components.filter((component) => String(component.type).toLowerCase() === type);

function only(components: JsonObject[], type: string): JsonObject | undefined {
  const [component, second] = ofType(components, type);
  if (second) throw invalidParameter(`Param template['components'] has two components of type ${type.toUpperCase()}.`);
  return component;
}

const isNamed = (template: StoredTemplate): boolean => template.parameter_format === 'NAMED';

function checkHeader(template: StoredTemplate, component: JsonObject | undefined, checkMedia: CheckHeaderMedia): void {
  const header = componentOf(template, 'HEADER');
  const parameters = parametersOf(component);
  if (!header || header.format === 'TEXT') {
    const variables = variablesOf(header?.text);
    checkCount('header', parameters.length, variables.length);
    parameters.forEach((parameter) => readText('header', parameter));
    return checkNames('header', parameters, { isNamed: isNamed(template), variables });
  }
  const [parameter] = parameters;
  const format = header.format ?? 'UNKNOWN';
  if (String(parameter?.type).toUpperCase() !== format) throw mismatch('header', format, parameter?.type);
  checkCount('header', parameters.length, 1);
  const kind = format.toLowerCase();
  if (format === 'PRODUCT') return checkProduct(parameter?.product);
  if (format !== 'LOCATION') return checkMedia(kind, parameter?.[kind]);
  if (!isObject(parameter?.location)) throw invalidParameter('The parameter location of header is required.');
}

function checkProduct(product: unknown): void {
  if (!isObject(product) || [product.product_retailer_id, product.catalog_id].some((id) => typeof id !== 'string'))
    throw invalidParameter('The parameter product of header needs product_retailer_id and catalog_id.');
}

function checkBody(template: StoredTemplate, component: JsonObject | undefined): void {
  const text = componentOf(template, 'BODY')?.text ?? '';
  const parameters = parametersOf(component);
  const variables = variablesOf(text);
  checkCount('body', parameters.length, variables.length);
  const values = parameters.map((parameter) => readLocalizable('body', parameter));
  checkNames('body', parameters, { isNamed: isNamed(template), variables });
  if (template.category === 'AUTHENTICATION') values.forEach(checkOtp);
  const length = withoutVariables(text).length + values.join('').length;
  if (length > MAX_BODY) throw refusal(132005, `body: text is too long (${length} > ${MAX_BODY})`);
}

function checkOtp(value: string): void {
  if (value.length > MAX_OTP)
    throw invalidParameter(`The verification code must be at most ${MAX_OTP} characters long.`);
}
