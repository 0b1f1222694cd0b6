import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';
import { ANY_OBJECT, type Schema } from '../body-docs';

/** API description of the names of template variables, for single sends, bulk calls and spreadsheet columns. */
export const VARIABLE_NAMES_DOC = [
  '`1` or `first_name` for a variable of the body',
  '`header 1` or `header first_name` for the variable of a text header',
  '`header link` or `header media` for the image, video, GIF or document of a header, as a link or the id of an uploaded file, and `header filename` for the name of the document',
  '`header latitude`, `header longitude`, `header name` and `header address` for the location of a header',
  "`header product` and `header catalog` for the ids of a header's product and its catalog",
  '`offer end` for the end of a limited-time offer: a time with a time zone, such as `2030-01-31T18:00:00Z`, or milliseconds since 1970',
  '`button 1` for the first button: the suffix of its URL, its coupon code of at most 20 characters, its payload (optional), its flow token (optional), or the product whose image its catalog shows (optional); button numbers start at 1 and include buttons without a variable',
  '`card 1` as a prefix of any of these names for a carousel card, as in `card 1 header link`, `card 1 1` and `card 1 button 1`',
].join('; ');

export const TEMPLATE_VARIABLES_DOC = `Alternative to \`components\`: values keyed by variable name (${VARIABLE_NAMES_DOC}), or an ordered list of the body values only. If both are given, \`components\` may only set what an \`mpm\`, \`flow\` or \`catalog\` button opens; product lists can only be set in \`components\``;

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
