/** Component that contains a value, in the template itself or in one of its cards. */
export type VariablePlace = 'header' | 'body' | 'limited_time_offer' | 'button';

/**
 * Type of a value: text (of a header, a body, or the end of a button's URL), link to a file, file name, part of a
 * location, product or its catalog, end of an offer, coupon code, payload of a quick reply, product whose picture a
 * catalog shows, or token of a flow. A product list is an object and not a value. `other` cannot be sent by this
 * service.
 */
export type VariableKind =
  | 'text'
  | FileKind
  | 'filename'
  | 'latitude'
  | 'longitude'
  | 'name'
  | 'address'
  | 'product'
  | 'catalog'
  | 'offer_end'
  | 'coupon_code'
  | 'payload'
  | 'thumbnail'
  | 'flow_token'
  | 'product_list'
  | 'other';

const FILE_KINDS = ['image', 'video', 'gif', 'document'] as const;
export type FileKind = (typeof FILE_KINDS)[number];
export const isFileKind = (kind: VariableKind): kind is FileKind => FILE_KINDS.some((file) => file === kind);

/** One value that a send of a template provides. */
export interface TemplateVariable {
  place: VariablePlace;
  /** Index of the carousel card, from 0. */
  card?: number;
  /** Index of the button within the template or the card, from 0. */
  index?: number;
  /** Name in the `variables` of a send: `1`, `first_name`, `header link`, `button 1`, `card 1 button 1`. */
  key: string;
  /** Column in a spreadsheet: `{{1}}`, `{{first_name}}`, `header link`, `button 1`, `card 1 {{1}}`. */
  column: string;
  /** Another name for both, for a file: `header media`. */
  alias?: string;
  /** Parameter name that WhatsApp expects with the value. Only named variables have one. */
  parameterName?: string;
  kind: VariableKind;
  isOptional: boolean;
  /** Maximum length in characters. */
  maxCharacters: number;
  /** Sample from the template; empty if it has none. */
  sample: string;
}

/** Maximum lengths in characters (UTF-16 code units, as WhatsApp counts). */
export const VALUE_MAX_CHARACTERS = {
  text: 1_024,
  payload: 256,
  coupon_code: 20,
  filename: 240,
  link: 2_048,
  product: 100,
  catalog: 64,
  flow_token: 512,
} as const;

/** Returns why values, and therefore a spreadsheet, cannot fill a template, or undefined when they can. */
export function unfillable(variables: readonly TemplateVariable[]): string | undefined {
  return variables.map(unfillableVariable).find((reason) => reason !== undefined);
}

/** Returns why a variable cannot be given a value, or undefined when it can. */
export function unfillableVariable({ kind, key }: TemplateVariable): string | undefined {
  if (kind === 'other') return "the template's header is of a kind that this service does not send";
  return kind === 'product_list'
    ? `${key} opens a list of products, which template.components alone can give`
    : undefined;
}
