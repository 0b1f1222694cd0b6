import { cardsOf, isJson, type Json, listOf } from './draft-content';
import { type FileKind, type TemplateVariable, VALUE_MAX_CHARACTERS, type VariableKind } from './template-variable';

/** Maximum length of a value in an authentication template, in characters. */
const CODE_MAX_CHARACTERS = 15;

/** Matches a variable of a stored text or URL, such as `{{1}}` or `{{ first_name }}`. */
const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;
const NUMBER = /^[0-9]+$/;
const FILES: Readonly<Record<string, FileKind>> = { IMAGE: 'image', VIDEO: 'video', GIF: 'gif', DOCUMENT: 'document' };

interface Template {
  components: readonly object[];
  category: string;
}

interface Limits {
  text: number;
}

const READERS: readonly (readonly [type: string, read: (component: Json, limits: Limits) => TemplateVariable[]])[] = [
  ['HEADER', headerVariables],
  ['BODY', bodyVariables],
  ['LIMITED_TIME_OFFER', offerVariables],
  ['BUTTONS', buttonVariables],
];

/**
 * Returns all values that a send of a stored template provides: header, body, offer, buttons, and then card by card.
 * Sends, spreadsheets, sample spreadsheets and forms all use this list.
 */
export function templateVariables({ components, category }: Template): TemplateVariable[] {
  const isCode = category.toUpperCase() === 'AUTHENTICATION';
  const limits = { text: isCode ? CODE_MAX_CHARACTERS : VALUE_MAX_CHARACTERS.text };
  return [
    ...partVariables(components, limits),
    ...cardsOf(components).flatMap((parts, card) =>
      partVariables(parts, limits).map((variable) => ({
        ...variable,
        card,
        key: `card ${card + 1} ${variable.key}`,
        column: `card ${card + 1} ${variable.column}`,
        ...(variable.alias !== undefined && { alias: `card ${card + 1} ${variable.alias}` }),
      })),
    ),
  ];
}

function partVariables(components: readonly object[], limits: Limits): TemplateVariable[] {
  const given = components.filter(isJson);
  return READERS.flatMap(([type, read]) =>
    given.filter((component) => upper(component.type) === type).flatMap((component) => read(component, limits)),
  );
}

function headerVariables(header: Json, limits: Limits): TemplateVariable[] {
  const format = upper(header.format);
  const value = (name: string, kind: VariableKind, more: Partial<TemplateVariable> = {}): TemplateVariable => ({
    place: 'header',
    key: `header ${name}`,
    column: `header ${name}`,
    kind,
    isOptional: false,
    maxCharacters: VALUE_MAX_CHARACTERS.text,
    sample: '',
    ...more,
  });
  if (format === '' || format === 'TEXT') return textVariables('header', header, limits);
  if (format === 'LOCATION')
    return [
      value('latitude', 'latitude'),
      value('longitude', 'longitude'),
      value('name', 'name', { isOptional: true }),
      value('address', 'address', { isOptional: true }),
    ];
  if (format === 'PRODUCT')
    return [
      value('product', 'product', { maxCharacters: VALUE_MAX_CHARACTERS.product }),
      value('catalog', 'catalog', { maxCharacters: VALUE_MAX_CHARACTERS.catalog }),
    ];
  const kind = FILES[format];
  if (kind === undefined) return [{ ...value('', 'other'), key: 'header', column: 'header' }];
  const filename = { isOptional: true, maxCharacters: VALUE_MAX_CHARACTERS.filename };
  return [
    value('link', kind, {
      alias: 'header media',
      maxCharacters: VALUE_MAX_CHARACTERS.link,
      sample: linkOf(exampleOf(header).header_handle),
    }),
    ...(kind === 'document' ? [value('filename', 'filename', filename)] : []),
  ];
}

function bodyVariables(body: Json, limits: Limits): TemplateVariable[] {
  return textVariables('body', body, limits);
}

function textVariables(place: 'header' | 'body', component: Json, limits: Limits): TemplateVariable[] {
  const prefix = place === 'header' ? 'header ' : '';
  const samples = samplesOf(place, component);
  return namesIn(component.text).map((name, position) => ({
    place,
    key: `${prefix}${name}`,
    column: `${prefix}{{${name}}}`,
    kind: 'text',
    isOptional: false,
    ...(!NUMBER.test(name) && { parameterName: name }),
    maxCharacters: limits.text,
    sample: samples.named.get(name) ?? samples.listed[position] ?? '',
  }));
}

/** Returns no variable for an offer that does not end. */
function offerVariables({ limited_time_offer: offer }: Json): TemplateVariable[] {
  if (!isJson(offer) || offer.has_expiration !== true) return [];
  return [
    {
      place: 'limited_time_offer',
      key: 'offer end',
      column: 'offer end',
      kind: 'offer_end',
      isOptional: false,
      maxCharacters: VALUE_MAX_CHARACTERS.text,
      sample: '',
    },
  ];
}

function buttonVariables({ buttons }: Json, limits: Limits): TemplateVariable[] {
  return listOf(buttons).flatMap((button, index) => (isJson(button) ? buttonVariable(button, index, limits) : []));
}

function buttonVariable({ type, url, example }: Json, index: number, limits: Limits): TemplateVariable[] {
  const sample = textOf(Array.isArray(example) ? listOf(example)[0] : example);
  const value = (kind: VariableKind, more: Partial<TemplateVariable>): TemplateVariable => ({
    place: 'button',
    index,
    key: `button ${index + 1}`,
    column: `button ${index + 1}`,
    kind,
    isOptional: false,
    maxCharacters: limits.text,
    sample,
    ...more,
  });
  switch (upper(type)) {
    case 'URL':
      return namesIn(url).length === 0 ? [] : [value('text', { sample: endOf(textOf(url), sample) })];
    // The platform creates the button with this type, but lists and sends it as a URL button.
    case 'OTP':
      return [value('text', {})];
    case 'COPY_CODE':
      return [value('coupon_code', { maxCharacters: VALUE_MAX_CHARACTERS.coupon_code })];
    case 'QUICK_REPLY':
      return [value('payload', { maxCharacters: VALUE_MAX_CHARACTERS.payload, isOptional: true, sample: '' })];
    // Without a value, a catalog shows the picture of its first product.
    case 'CATALOG':
      return [value('thumbnail', { maxCharacters: VALUE_MAX_CHARACTERS.product, isOptional: true, sample: '' })];
    // The token only shows which message a flow response belongs to.
    case 'FLOW':
      return [value('flow_token', { maxCharacters: VALUE_MAX_CHARACTERS.flow_token, isOptional: true, sample: '' })];
    case 'MPM':
      return [value('product_list', { sample: '' })];
    default:
      return [];
  }
}

/** Returns the distinct variables of a text: numbers in numerical order, then names in the order of the text. */
function namesIn(text: unknown): string[] {
  const names = [...new Set([...textOf(text).matchAll(VARIABLE)].map(([, name = '']) => name))];
  const rank = (name: string): number => (NUMBER.test(name) ? Number(name) : Number.MAX_SAFE_INTEGER);
  return names.sort((one, other) => rank(one) - rank(other));
}

function samplesOf(place: 'header' | 'body', component: Json): { listed: string[]; named: Map<string, string> } {
  const example = exampleOf(component);
  const listed = listOf(example[`${place}_text`]);
  const named = listOf(example[`${place}_text_named_params`]).filter(isJson);
  return {
    // The samples of a body are a nested list.
    listed: (Array.isArray(listed[0]) ? listOf(listed[0]) : listed).map(textOf),
    named: new Map(named.map(({ param_name: name, example: sample }) => [textOf(name), textOf(sample)])),
  };
}

/**
 * Returns the variable part of a URL. WhatsApp lists the full URL as the sample, but expects only this part in a send.
 */
function endOf(url: string, sample: string): string {
  const [beginning = ''] = url.split('{{');
  return beginning !== '' && sample.startsWith(beginning) ? sample.slice(beginning.length) : sample;
}

/** Returns the URL of a sample file; empty for the handle of an uploaded file. */
function linkOf(handles: unknown): string {
  const link = textOf(listOf(handles)[0]);
  return /^https:/i.test(link) ? link : '';
}

const exampleOf = ({ example }: Json): Json => (isJson(example) ? example : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const upper = (value: unknown): string => textOf(value).trim().toUpperCase();
