import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';
import { ANY_OBJECT, type Schema } from '../body-docs';

/** How the API describes the names of a template's variables: in a send, in a bulk call and as a sheet's columns. */
export const VARIABLE_NAMES_DOC = [
  '`1` or `first_name` for a variable of the body',
  "`header 1` or `header first_name` for that of the header's text",
  "`header link` for the header's image, video or document, and `header filename` for the document's name",
  '`header latitude`, `header longitude`, `header name` and `header address` for its location',
  '`button 1` for the end of a link, the code or the payload (optional) of the first button; buttons count from 1, those without a variable too',
].join('; ');

export const TEMPLATE_VARIABLES_DOC = `Instead of \`components\`: the values by the names of the variables (${VARIABLE_NAMES_DOC}), or those of the body alone in their order`;

/** The two shapes of values. */
export const TEMPLATE_VARIABLES_SCHEMAS: readonly Schema[] = [
  { type: 'array', items: { type: 'string', maxLength: VALUE_MAX_CHARACTERS.text } },
  {
    ...ANY_OBJECT,
    example: { '1': 'A-17', '2': 'Monday', 'header link': 'https://example.com/a.png', 'button 1': 'A-17' },
  },
];
