import { isJson, type Json } from './draft-content';

/** Where a value stands. The sending of another place begins with a line of `READERS`. */
export type VariablePlace = 'header' | 'body' | 'button';

/**
 * What a value is: a text (of a header, a body, or the end of a button's address), the link of a file, its name, a part
 * of a location, a coupon code, a quick reply's payload, or what this service cannot send.
 */
export type VariableKind =
  | 'text'
  | 'image'
  | 'video'
  | 'document'
  | 'filename'
  | 'latitude'
  | 'longitude'
  | 'name'
  | 'address'
  | 'coupon_code'
  | 'payload'
  | 'other';

/** One value that a send of a template gives. */
export interface TemplateVariable {
  place: VariablePlace;
  /** Of a button: its position among the template's buttons, from 0. */
  index?: number;
  /** Its name in the `variables` of a send: `1`, `first_name`, `header 1`, `header link`, `button 1`. */
  key: string;
  /** Its column in a spreadsheet: `{{1}}`, `{{first_name}}`, `header {{1}}`, `header link`, `button 1`. */
  column: string;
  /** The name that the upstream platform wants with the value; absent for numbered variables and everything else. */
  parameterName?: string;
  kind: VariableKind;
  isOptional: boolean;
  /** The longest value, in characters. */
  maxCharacters: number;
  /** The template's own sample; empty when it has none. */
  sample: string;
}

/** The longest values, in characters (UTF-16 units, as the upstream platform counts). */
export const VALUE_MAX_CHARACTERS = {
  text: 1_024,
  payload: 256,
  coupon_code: 20,
  filename: 240,
  link: 2_048,
} as const;
/** The longest text of an authentication template. */
const CODE_MAX_CHARACTERS = 15;

/** A variable of a stored text or address, such as `{{1}}` or `{{ first_name }}`. */
const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;
const NUMBER = /^[0-9]+$/;
const FILES: Readonly<Record<string, VariableKind>> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' };

interface Template {
  components: readonly object[];
  /** In either case. */
  category: string;
}

/** What the readers of all places need. */
interface Limits {
  text: number;
}

const READERS: readonly (readonly [type: string, read: (component: Json, limits: Limits) => TemplateVariable[]])[] = [
  ['HEADER', headerVariables],
  ['BODY', bodyVariables],
  ['BUTTONS', buttonVariables],
];

/**
 * Everything that a send of a stored template gives, in the order header, body, buttons. Sends, spreadsheets, sample
 * sheets and forms all go by this list.
 */
export function templateVariables({ components, category }: Template): TemplateVariable[] {
  const isCode = category.toUpperCase() === 'AUTHENTICATION';
  const limits = { text: isCode ? CODE_MAX_CHARACTERS : VALUE_MAX_CHARACTERS.text };
  const given = components.filter(isJson);
  return READERS.flatMap(([type, read]) =>
    given.filter((component) => upper(component.type) === type).flatMap((component) => read(component, limits)),
  );
}

function headerVariables(header: Json, limits: Limits): TemplateVariable[] {
  const format = upper(header.format);
  const value = (name: string, kind: VariableKind, more: Partial<TemplateVariable> = {}): TemplateVariable => ({
    ...{ place: 'header', key: `header ${name}`, column: `header ${name}`, kind, isOptional: false },
    ...{ maxCharacters: VALUE_MAX_CHARACTERS.text, sample: '', ...more },
  });
  if (format === '' || format === 'TEXT') return textVariables('header', header, limits);
  if (format === 'LOCATION')
    return [
      value('latitude', 'latitude'),
      value('longitude', 'longitude'),
      value('name', 'name', { isOptional: true }),
      value('address', 'address', { isOptional: true }),
    ];
  const kind = FILES[format];
  if (kind === undefined) return [{ ...value('', 'other'), key: 'header', column: 'header' }];
  const filename = { isOptional: true, maxCharacters: VALUE_MAX_CHARACTERS.filename };
  return [
    value('link', kind, { maxCharacters: VALUE_MAX_CHARACTERS.link, sample: linkOf(exampleOf(header).header_handle) }),
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
    ...{ place, key: `${prefix}${name}`, column: `${prefix}{{${name}}}`, kind: 'text', isOptional: false },
    ...(!NUMBER.test(name) && { parameterName: name }),
    ...{ maxCharacters: limits.text, sample: samples.named.get(name) ?? samples.listed[position] ?? '' },
  }));
}

function buttonVariables({ buttons }: Json, limits: Limits): TemplateVariable[] {
  return listOf(buttons).flatMap((button, index) => (isJson(button) ? buttonVariable(button, index, limits) : []));
}

function buttonVariable({ type, url, example }: Json, index: number, limits: Limits): TemplateVariable[] {
  const sample = textOf(Array.isArray(example) ? listOf(example)[0] : example);
  const value = (kind: VariableKind, more: Partial<TemplateVariable>): TemplateVariable => ({
    ...{ place: 'button', index, key: `button ${index + 1}`, column: `button ${index + 1}`, kind, isOptional: false },
    ...{ maxCharacters: limits.text, sample, ...more },
  });
  switch (upper(type)) {
    case 'URL':
      return namesIn(url).length === 0 ? [] : [value('text', { sample: endOf(textOf(url), sample) })];
    // Created under this name, and a URL button when it is read back and sent.
    case 'OTP':
      return [value('text', {})];
    case 'COPY_CODE':
      return [value('coupon_code', { maxCharacters: VALUE_MAX_CHARACTERS.coupon_code })];
    case 'QUICK_REPLY':
      return [value('payload', { maxCharacters: VALUE_MAX_CHARACTERS.payload, isOptional: true, sample: '' })];
    default:
      return [];
  }
}

/** The variables of a text, each once: numbers in their order, wherever they stand; behind them names as they stand. */
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
    // The body's samples are a list of lists.
    listed: (Array.isArray(listed[0]) ? listOf(listed[0]) : listed).map(textOf),
    named: new Map(named.map(({ param_name: name, example: sample }) => [textOf(name), textOf(sample)])),
  };
}

/** The upstream platform lists the whole address as the sample of a link; what is sent is its end alone. */
function endOf(url: string, sample: string): string {
  const [beginning = ''] = url.split('{{');
  return beginning !== '' && sample.startsWith(beginning) ? sample.slice(beginning.length) : sample;
}

/** The address of a sample file; empty for the handle of one that was only uploaded. */
function linkOf(handles: unknown): string {
  const link = textOf(listOf(handles)[0]);
  return /^https:/i.test(link) ? link : '';
}

const exampleOf = ({ example }: Json): Json => (isJson(example) ? example : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const upper = (value: unknown): string => textOf(value).trim().toUpperCase();
