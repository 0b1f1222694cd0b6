import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';
import { ANY_OBJECT, type Schema } from '../body-docs';

/** API description of the names of template variables: in a send, in a bulk call and as columns of a spreadsheet. */
export const VARIABLE_NAMES_DOC = [
  '`1` or `first_name` for a variable of the body',
  "`header 1` or `header first_name` for the variable of the header's text",
  "`header link` or `header media` for the header's image, video, GIF or document, as a link or the id of an uploaded file, and `header filename` for the document's name",
  '`header latitude`, `header longitude`, `header name` and `header address` for its location',
  '`header product` and `header catalog` for the ids of its product and catalogue',
  '`offer end` for the end of a limited-time offer: a time with a time zone, such as `2030-01-31T18:00:00Z`, or milliseconds since 1970',
  '`button 1` for the value of the first button: the suffix of its link, its coupon code of at most 20 characters, its payload (optional), the token of a flow (optional), or the product whose image a catalogue shows (optional); all buttons are numbered from 1, including those without a variable',
  '`card 1` as a prefix of any of these for a card of a carousel, as in `card 1 header link`, `card 1 1` and `card 1 button 1`',
].join('; ');

export const TEMPLATE_VARIABLES_DOC = `Alternative to \`components\`: values keyed by the names of the variables (${VARIABLE_NAMES_DOC}), or an ordered list of the body values alone. When combined with it, \`components\` may only set what a button \`mpm\`, \`flow\` or \`catalog\` opens; product lists can only be set there`;

/** Schemas of the two formats of values. */
export const TEMPLATE_VARIABLES_SCHEMAS: readonly Schema[] = [
  {
    title: 'Those of the body, in their order',
    type: 'array',
    items: { type: 'string', maxLength: VALUE_MAX_CHARACTERS.text },
  },
  {
    title: 'By their names',
    ...ANY_OBJECT,
    example: { '1': 'A-17', '2': 'Monday', 'header link': 'https://example.com/a.png', 'button 1': 'A-17' },
  },
];
