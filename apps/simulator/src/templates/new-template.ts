import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import { invalidParameter, templateRefusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import type { SampleAddress } from '../uploads/sample-address';
import { authenticationComponents } from './authentication';
import { readNewButtons } from './create-buttons';
import { checkKind, readCarousel, readOffer } from './create-kinds';
import { checkNewBody, checkNewFooter, checkNewHeader, SUBCODE } from './create-text';
import type { StoredTemplate } from './seed';

export const CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'];
const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,4})?$/;

/**
 * Reads the body of `POST /{waba}/message_templates` into a PENDING template.
 * @throws GraphError 100, with the subcode of the invalid part
 */
export function readNewTemplate(body: JsonObject, id: string, addressOf: SampleAddress): StoredTemplate {
  const { name, language, parameter_format: format = 'POSITIONAL' } = body;
  if (typeof name !== 'string' || !NAME.test(name))
    throw invalidParameter('Param name must have lower-case letters, digits and underscores, 512 at most.');
  if (typeof language !== 'string' || !LANGUAGE.test(language))
    throw invalidParameter('Param language is not a supported language.');
  const parameterFormat = readParameterFormat(format);
  const category = readCategory(body.category);
  const components = readComponents(body.components, { category, parameterFormat, addressOf });
  const ttl = body.message_send_ttl_seconds;
  return {
    name,
    parameter_format: parameterFormat,
    components,
    language,
    status: 'PENDING',
    category,
    id,
    ...(ttl !== undefined && { message_send_ttl_seconds: ttl }),
  };
}

/** @throws GraphError 100 for an unknown format; the comparison is case-insensitive */
export function readParameterFormat(given: unknown): string {
  const format = String(given).toUpperCase();
  if (format !== 'POSITIONAL' && format !== 'NAMED')
    throw invalidParameter('Param parameter_format must be one of {POSITIONAL, NAMED}.');
  return format;
}

/** @throws GraphError 100 for an unknown category; the comparison is case-insensitive */
export function readCategory(given: unknown): string {
  const category = String(given).toUpperCase();
  if (!CATEGORIES.includes(category))
    throw invalidParameter(`Param category must be one of {${CATEGORIES.join(', ')}}.`);
  return category;
}

/**
 * Reads components in the form in which they are listed, with types in uppercase.
 * @throws GraphError 100, with the subcode of the invalid part
 */
export function readComponents(
  given: unknown,
  { category, parameterFormat, addressOf }: { category: string; parameterFormat: string; addressOf: SampleAddress },
): UpstreamTemplateComponent[] {
  if (category === 'AUTHENTICATION') return authenticationComponents(listOf(given));
  const components = readParts(given, { isNamed: parameterFormat === 'NAMED', addressOf });
  if (!components.some(({ type }) => type === 'BODY'))
    throw templateRefusal(SUBCODE.body, 'Message body is missing', 'A template needs a body.');
  checkKind(category, components);
  return components;
}

interface Reading {
  isNamed: boolean;
  addressOf: SampleAddress;
}

function readParts(given: unknown, reading: Reading): UpstreamTemplateComponent[] {
  const components = listOf(given).map((component) => readComponent(component, reading));
  if (new Set(components.map(({ type }) => type)).size < components.length)
    throw invalidParameter('Each component can be given once.');
  return components;
}

function listOf(given: unknown): JsonObject[] {
  if (!Array.isArray(given) || !given.every(isObject)) throw invalidParameter('The parameter components is required.');
  return given;
}

function readComponent(given: JsonObject, reading: Reading): UpstreamTemplateComponent {
  const { isNamed, addressOf } = reading;
  const component = { ...given, type: String(given.type).toUpperCase() };
  switch (component.type) {
    case 'HEADER': {
      const header: JsonObject & { type: string } = {
        ...given,
        type: 'HEADER',
        format: String(given.format).toUpperCase(),
      };
      checkNewHeader(header, isNamed);
      return withSample(header, addressOf);
    }
    case 'BODY':
      checkNewBody(given, isNamed);
      return component;
    case 'FOOTER':
      checkNewFooter(given);
      return component;
    case 'BUTTONS':
      return { type: 'BUTTONS', buttons: readNewButtons(given.buttons) };
    case 'LIMITED_TIME_OFFER':
      return readOffer(given);
    case 'CAROUSEL':
      return readCarousel(given, (components) => readParts(components, reading));
    default:
      throw invalidParameter(
        'Param type of a component must be one of {HEADER, BODY, FOOTER, BUTTONS, CAROUSEL, LIMITED_TIME_OFFER}.',
      );
  }
}

/** Replaces the handle of a file by the file's URL. */
function withSample(header: JsonObject & { type: string }, addressOf: SampleAddress): UpstreamTemplateComponent {
  const format = String(header.format);
  if (format === 'TEXT' || format === 'LOCATION' || format === 'PRODUCT') return header;
  const handles: unknown = isObject(header.example) ? header.example.header_handle : undefined;
  return {
    ...header,
    example: { header_handle: [addressOf(Array.isArray(handles) ? handles[0] : undefined, format)] },
  };
}
