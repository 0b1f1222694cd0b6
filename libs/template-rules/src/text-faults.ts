import type { Fault } from './fault';
import type { Json } from './draft-content';
import {
  bracedTextsOf,
  exampleFaults,
  examplesOf,
  hasNames,
  namedExampleFaults,
  textFaults,
  variableFaults,
  wordsOf,
} from './variables';

export const MAX_HEADER = 60;
export const MAX_BODY = 1_024;
export const MAX_FOOTER = 60;
const MEDIA_FORMATS = ['IMAGE', 'VIDEO', 'DOCUMENT', 'GIF'];
const FORMATS = ['TEXT', ...MEDIA_FORMATS, 'LOCATION', 'PRODUCT'];

/** Validates a header: its format, its text with at most one variable, or the sample of its file. */
export function headerFaults(header: Json): Fault[] {
  const format = String(header.format);
  if (!FORMATS.includes(format)) return [{ field: 'header.format', message: `must be one of ${FORMATS.join(', ')}` }];
  // Each send provides the location or the product.
  if (format === 'LOCATION' || format === 'PRODUCT') return [];
  if (MEDIA_FORMATS.includes(format)) return sampleFaults(examplesOf(header, 'header_handle'));
  const faults = textFaults('header.text', header.text, MAX_HEADER);
  if (faults.length > 0) return faults;
  const text = String(header.text);
  const variables = bracedTextsOf(text);
  if (text.includes('\n')) return [{ field: 'header.text', message: 'a header has no line breaks' }];
  if (variables.length > 1) return [{ field: 'header.text', message: 'a header has at most one variable' }];
  return [...variableFaults('header.text', text), ...givenExamples('header.example.header_text', header, variables)];
}

/** Validates the sample of a header's file. WhatsApp lists the sample as a URL, which cannot be submitted. */
function sampleFaults(handles: unknown): Fault[] {
  const field = 'header.example.header_handle';
  const sample: unknown = Array.isArray(handles) ? handles[0] : undefined;
  if (typeof sample === 'string' && /^https?:/i.test(sample))
    return [{ field, message: 'the platform needs the file itself, not its address: upload it again' }];
  if (sample === undefined || sample === '') return [{ field, message: 'a file is needed as the sample' }];
  return exampleFaults(field, handles, 1);
}

/** Validates a body: its length and its variables. */
export function bodyFaults(body: Json, most = MAX_BODY): Fault[] {
  const field = 'body.text';
  const faults = textFaults(field, body.text, most);
  if (faults.length > 0) return faults;
  const text = String(body.text).trim();
  const variables = bracedTextsOf(text);
  const wrong = (isWrong: boolean, message: string): Fault[] => (isWrong ? [{ field, message }] : []);
  return [
    ...variableFaults(field, text),
    ...wrong(/^\{\{|\}\}$/.test(text), 'a variable cannot stand at the beginning or the end'),
    ...wrong(/\}\}\s*\{\{/.test(text), 'variables cannot stand next to each other: put words between them'),
    ...wrong(
      wordsOf(text) < 2 * variables.length + 1,
      `too many variables for so short a text: ${variables.length} of them need ${2 * variables.length + 1} words`,
    ),
    ...givenExamples('body.example.body_text', body, variables),
  ];
}

export function footerFaults({ text }: Json): Fault[] {
  const faults = textFaults('footer.text', text, MAX_FOOTER);
  if (faults.length > 0) return faults;
  if (String(text).includes('\n')) return [{ field: 'footer.text', message: 'a footer has no line breaks' }];
  return /\{\{|\}\}/.test(String(text)) ? [{ field: 'footer.text', message: 'a footer has no variables' }] : [];
}

/** Validates the examples of a text. A text without variables must have none. */
function givenExamples(field: string, component: Json, variables: readonly string[]): Fault[] {
  const [, , name = ''] = field.split('.');
  const named = examplesOf(component, `${name}_named_params`);
  if (hasNames(component.text)) return namedExampleFaults(`${field}_named_params`, named, variables);
  const listed = examplesOf(component, name);
  // The examples of a body are a nested list.
  const first: unknown = Array.isArray(listed) ? (listed as unknown[])[0] : undefined;
  const examples = name === 'body_text' ? first : listed;
  return variables.length === 0 && examples === undefined ? [] : exampleFaults(field, examples, variables.length);
}
