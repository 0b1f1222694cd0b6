import { countText } from './formats';

/** API validation rules, without the field name, and their sentences. */
const RULES: readonly (readonly [rule: RegExp, sentence: (...parts: string[]) => string])[] = [
  [/^(?:is required|should not be empty|must not be only white space)/, () => 'Enter a value'],
  [/^must (?:be longer than or equal to|have at least) 1 character/, () => 'Enter a value'],
  [
    /^must (?:be longer than or equal to|have at least) (\d+) character/,
    (n) => `Use at least ${numberText(n)} characters`,
  ],
  [
    /^must (?:be shorter than or equal to|be at most|have at most) (\d+) character/,
    (n) => `Use at most ${numberText(n)} characters`,
  ],
  [
    /^must have (\d+) to (\d+) characters/,
    (least, most) => `Use ${numberText(least)} to ${numberText(most)} characters`,
  ],
  [/^must not be less than (-?\d+)/, (n) => `Enter ${numberText(n)} or more`],
  [/^must not be greater than (-?\d+)/, (n) => `Enter ${numberText(n)} or less`],
  [
    /^must be a whole number from (-?\d+) to (\d+)/,
    (a, b) => `Enter a whole number from ${numberText(a)} to ${numberText(b)}`,
  ],
  [/^must be an? (?:integer|positive integer|number)/, () => 'Enter a whole number'],
  [/^must be a (?:string|text)/, () => 'Enter text'],
  [/^must be a boolean/, () => 'Choose yes or no'],
  [/^must be an array/, () => 'Enter a list'],
  [/^must be an email/, () => 'Enter an email address, such as asha@example.com'],
  [/^(?:should not be empty|must contain at least 1 element)/, () => 'Enter at least one'],
  [/^must contain at least (\d+) element/, (n) => `Enter at least ${numberText(n)}`],
  [
    /^must (?:contain (?:no|not) more than|have at most) (\d+) (?:element|entries)/,
    (n) => `Enter at most ${numberText(n)}`,
  ],
  [/^must be one of(?: the following values)?:? (.+)$/s, (values) => `Choose one of ${values}`],
  [/^must be a valid ISO 8601 date/, () => 'Enter a date and time'],
  [/^must be a valid phone number/, () => 'Enter a phone number with its country code'],
  [/^must match \S+ regular expression/, () => 'The format is invalid'],
  [/^holds characters that (?:cannot be stored|no name has)/, () => 'Remove unsupported characters'],
];
/** Matches a field name followed by a rule, as in the API's validation messages. */
const ABOUT_FIELD = /^(each value in )?([a-z]\w*(?:\.\w+)*) ((?:must|should|is required|holds|cannot)(?:\s.*)?)$/s;

const numberText = (digits: string): string => countText(Number(digits));

const finished = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`;

/** Returns the label of a field: `verifyToken` and `settings.verifyToken` become "Verify token". */
function labelOf(field: string): string {
  const name = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? field;
  const words = name.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' ');
}

function parted(message: string): { field?: string; sentence: string } {
  const [, each, field, rule] = ABOUT_FIELD.exec(message) ?? [];
  const said = rule ?? message;
  const text = wordsOf(said) ?? (/^(?:must|should)\b/.test(said) ? `It ${said}` : message);
  return {
    ...(field !== undefined && { field }),
    sentence: finished(each === undefined ? text : `For each entry: ${lowerFirst(text)}`),
  };
}

function wordsOf(said: string): string | undefined {
  for (const [rule, sentence] of RULES) {
    const found = rule.exec(said);
    if (found) return sentence(...found.slice(1));
  }
  return undefined;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns a validation message as a sentence to show at its field. */
export const sentenceOf = (message: string): string => parted(message).sentence;

/** Returns the same message with the field's label, to show elsewhere. */
export function noteOf(message: string): string {
  const { field, sentence } = parted(message);
  return field === undefined ? sentence : `${labelOf(field)}: ${lowerFirst(sentence)}`;
}
