import { contentFaults, type Fault, isExample, toDraftContent } from '@switchboard/template-rules';
import type { Schemas } from '../../../api/client';
import type { CardForm } from '../shared/card-form';
import { type TemplateForm, toComponents } from '../shared/template-form';
import { type FormVariable, variablesOf } from './template-variables';

export interface Content {
  name: string;
  language: string;
  category: string;
  /** Validity period in seconds; empty for WhatsApp's default. */
  ttlSeconds: string;
  form: TemplateForm;
}

export type DraftBody = Required<Pick<Schemas['TemplateDraftChange'], 'name' | 'language' | 'category'>> & {
  components: Record<string, unknown>[];
  ttlSeconds: number;
};

/** Returns the content as an API request. Marketing templates have no validity period. */
export function bodyOf({ name, language, category, ttlSeconds, form }: Content): DraftBody {
  return {
    name,
    language,
    category,
    components: toComponents(form, category),
    ttlSeconds: category === 'MARKETING' ? 0 : Number(ttlSeconds),
  };
}

/** Returns the field name of a variable's sample, used for its error. */
export const sampleField = ({ where, name }: Pick<FormVariable, 'where' | 'name'>): string =>
  `sample ${where} ${name}`.replaceAll(/\s/g, '-');

const LISTED_SAMPLES =
  /^(carousel\.cards\.\d+\.)?(header\.example\.header_text|body\.example\.body_text|buttons\.\d+\.example)(_named_params)?$/;

/** Checks the current content against the rules, with a separate error for each sample. */
export function writtenFaults(content: Content): Fault[] {
  const { form, category } = content;
  const faults = contentFaults(toDraftContent(bodyOf(content)));
  if (category === 'AUTHENTICATION') return faults;
  const samples = variablesOf(form)
    .filter(({ value }) => !isExample(value))
    .map((variable) => ({ field: sampleField(variable), message: sampleFault(variable) }));
  const isSample = ({ field }: Fault): boolean => LISTED_SAMPLES.test(field) && !isCode(form, field);
  return [...faults.filter((fault) => !isSample(fault)), ...samples];
}

/** The code of a copy button is edited in the button's row. */
function isCode({ buttons }: TemplateForm, field: string): boolean {
  return buttons[Number(/^buttons\.(\d+)/.exec(field)?.[1])]?.type === 'COPY_CODE';
}

function sampleFault({ name, where, value }: FormVariable): string {
  if (value.trim() === '')
    return `enter a sample for {{${name}}} of ${where.replace(/^(Body|Header|Link)/, lowerFirst)}`;
  return 'a sample must not contain line breaks, tabs or more than four consecutive spaces';
}

const lowerFirst = (word: string): string => `the ${word.toLowerCase()}`;

/** Error found by the server, with the value that its field had then. */
export interface FoundFault extends Fault {
  seen: string;
}

export function found(faults: readonly Fault[], body: DraftBody): FoundFault[] {
  return faults.map(({ field, message }) => ({ field, message, seen: valueOf(body, field) }));
}

/** Returns the server's errors of a stored draft that the local rules do not cover. */
export function storedFaults(draft: Pick<Schemas['TemplateDraft'], 'faults'>, content: Content): FoundFault[] {
  const body = bodyOf(content);
  const known = contentFaults(toDraftContent(body));
  const isKnown = ({ field }: Fault): boolean => known.some((fault) => fault.field === field);
  return found(
    draft.faults.filter((fault) => !isKnown(fault)),
    body,
  );
}

/** Returns the errors to show: those of the local rules, then server errors whose field is unchanged. */
export function standingFaults(
  written: readonly Fault[],
  foundByService: readonly FoundFault[],
  body: DraftBody,
): Fault[] {
  const standing = foundByService.filter(({ field, seen }) => seen === valueOf(body, field));
  const all = [...written, ...standing.map(({ field, message }) => ({ field, message }))];
  const isSaid = (fault: Fault, index: number): boolean =>
    all.findIndex(({ field, message }) => field === fault.field && message === fault.message) < index;
  return all.filter((fault, index) => !isSaid(fault, index));
}

const COMPONENTS: Record<string, string> = {
  header: 'HEADER',
  body: 'BODY',
  footer: 'FOOTER',
  buttons: 'BUTTONS',
  carousel: 'CAROUSEL',
  limited_time_offer: 'LIMITED_TIME_OFFER',
};

function valueOf(body: DraftBody, field: string): string {
  const [root = ''] = field.split('.');
  const type = COMPONENTS[root];
  if (type !== undefined) return JSON.stringify(body.components.find((component) => component.type === type) ?? null);
  const { name, language, category, ttlSeconds } = body;
  // Names are unique per language, so a new language can resolve a name error.
  const own: Record<string, unknown> = { name: [name, language], language, category, ttlSeconds };
  return JSON.stringify(root in own ? own[root] : body);
}

/** Form parts whose fields belong to sections of their own. */
const WHOLES = /^(header|buttons|carousel(\.cards(\.\d+)?)?)$/;

/**
 * Returns whether the user has edited what the error is about. Until then, an empty field shows no error.
 * @param touched fields of the sections that the user has edited
 */
export const isTouched = (field: string, touched: ReadonlySet<string>): boolean =>
  [...touched].some((place) => field === place || (field.startsWith(`${place}.`) && !WHOLES.test(place)));

const BUTTON_PARTS: Record<string, string> = {
  text: 'text',
  url: 'link',
  phone_number: 'number',
  example: 'sample code',
  navigate_screen: 'screen',
  flow_id: 'flow',
  flow_name: 'flow',
  flow_json: 'flow',
  flow_action: 'flow',
};
const LABELS: readonly (readonly [field: RegExp, label: string])[] = [
  [/^name/, 'Name'],
  [/^language/, 'Language'],
  [/^category/, 'Category'],
  [/^ttlSeconds/, 'Validity'],
  [/^header/, 'Header'],
  [/^body/, 'Body'],
  [/^footer/, 'Footer'],
  [/^limited_time_offer/, 'Offer'],
  [/^carousel/, 'Cards'],
  [/^buttons\.\d+\.supported_apps/, 'Apps'],
  [/^buttons\.\d+\.zero_tap/, 'Terms'],
  [/^buttons\.\d+\.otp_type/, 'Code'],
  [/^buttons$/, 'Buttons'],
];

/** Returns the unique label of a field; undefined when the editor has no such field. */
export function labelOf(field: string, { cards }: Pick<TemplateForm, 'cards'>): string | undefined {
  const [, at, part] = /^carousel\.cards\.(\d+)\.(.+)$/.exec(field) ?? [];
  if (at !== undefined && part !== undefined) return `Card ${Number(at) + 1}: ${cardPart(part, cards[Number(at)])}`;
  const [, where, name] = /^sample-(.+)-([^-]+)$/.exec(field) ?? [];
  if (where !== undefined)
    return `Sample ${name} of ${where.charAt(0).toLowerCase()}${where.slice(1).replaceAll('-', ' ')}`;
  const known = LABELS.find(([pattern]) => pattern.test(field))?.[1];
  const [, button, what = ''] = /^buttons\.(\d+)(?:\.(\w+))?/.exec(field) ?? [];
  return known ?? (button && `Button ${Number(button) + 1}: ${BUTTON_PARTS[what] ?? 'type'}`);
}

function cardPart(field: string, card: CardForm | undefined): string {
  if (field.startsWith('header')) return card?.header === 'VIDEO' ? 'video' : 'image';
  const [, button, what = ''] = /^buttons\.(\d+)(?:\.(\w+))?/.exec(field) ?? [];
  if (button === undefined) return field.startsWith('buttons') ? 'buttons' : 'body';
  const number = (card?.buttons.length ?? 0) > 1 ? ` ${Number(button) + 1}` : '';
  const part = BUTTON_PARTS[what] ?? 'kind';
  return number === '' && part === 'link' ? part : `button${number} ${part}`;
}
