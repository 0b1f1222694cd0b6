/** Where a value stands, in the template itself or in a card of it. */
export type VariablePlace = 'header' | 'body' | 'limited_time_offer' | 'button';

/**
 * What a value is: a text (of a header, a body, or the end of a button's address), the link of a file, its name, a part
 * of a location, a product or its catalogue, the end of an offer, a coupon code, a quick reply's payload, the product
 * whose picture a catalogue shows, a flow's token; a list of products, which is an object and no value; or what this
 * service cannot send.
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

/** Links of files. */
const FILE_KINDS = ['image', 'video', 'gif', 'document'] as const;
export type FileKind = (typeof FILE_KINDS)[number];
export const isFileKind = (kind: VariableKind): kind is FileKind => FILE_KINDS.some((file) => file === kind);

/** One value that a send of a template gives. */
export interface TemplateVariable {
  place: VariablePlace;
  /** Of a carousel's card: its position, from 0. */
  card?: number;
  /** Of a button: its position among the buttons of the template or the card, from 0. */
  index?: number;
  /** Its name in the `variables` of a send: `1`, `first_name`, `header link`, `button 1`, `card 1 button 1`. */
  key: string;
  /** Its column in a spreadsheet: `{{1}}`, `{{first_name}}`, `header link`, `button 1`, `card 1 {{1}}`. */
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
  product: 100,
  catalog: 64,
  flow_token: 512,
} as const;

/** Why values alone cannot fill a template, and so no sheet; undefined when they can. */
export function unfillable(variables: readonly TemplateVariable[]): string | undefined {
  return variables.map(unfillableVariable).find((reason) => reason !== undefined);
}

/** Why no value can be given for a variable; undefined when one can. */
export function unfillableVariable({ kind, key }: TemplateVariable): string | undefined {
  if (kind === 'other') return "the template's header is of a kind that this service does not send";
  return kind === 'product_list'
    ? `${key} opens a list of products, which template.components alone can give`
    : undefined;
}
