import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';
import { ANY_OBJECT, type Schema } from '../body-docs';

/** API description of the names of template variables, for single sends, bulk calls and spreadsheet columns. */
export const VARIABLE_NAMES_DOC = [
  'Body variable: `1` or `first_name`',
  'Text header: `header 1` or `header first_name`',
  'Media header: `header link` or `header media` for the image, video, GIF or document, as a link or the ID of an uploaded file; `header filename` for the name of a document',
  'Location header: `header latitude`, `header longitude`, `header name` and `header address`',
  'Product header: `header product` and `header catalog` for the ID of the product and the ID of its catalog',
  'Limited-time offer: `offer end` for the end of the offer, as a time with a time zone, such as `2030-01-31T18:00:00Z`, or in milliseconds since 1970',
  'First button: `button 1` for the suffix of the URL or the coupon code of at most 20 characters. Optional for other types of button: the payload, the flow token, or the product whose image the catalog shows',
  'Button numbers start at 1 and include buttons without a variable',
  'Carousel card: prefix `card 1` for any of these names, as in `card 1 header link`, `card 1 1` and `card 1 button 1`',
].join('. ');

export const TEMPLATE_VARIABLES_DOC = `Alternative to \`components\`: values keyed by variable name, or an ordered list of the body values only. ${VARIABLE_NAMES_DOC}. If both \`variables\` and \`components\` are given, \`components\` may only set what an \`mpm\`, \`flow\` or \`catalog\` button opens. Product lists can only be set in \`components\``;

/** Schemas of the two formats for values. */
export const TEMPLATE_VARIABLES_SCHEMAS: readonly Schema[] = [
  {
    title: 'Values of the body variables, in order',
    type: 'array',
    items: { type: 'string', maxLength: VALUE_MAX_CHARACTERS.text },
  },
  {
    title: 'Values by variable name',
    ...ANY_OBJECT,
    example: { '1': 'A-17', '2': 'Monday', 'header link': 'https://example.com/a.png', 'button 1': 'A-17' },
  },
];
