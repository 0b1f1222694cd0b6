/** A variable of a template's text or address, such as `{{1}}` or `{{ first_name }}`. */
const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** The names of the variables in a template's text or address, each once, in the order of the text. */
export function variablesOf(text = ''): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];
}
