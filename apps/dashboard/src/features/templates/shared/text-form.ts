import { bracedTextsOf, hasNames, variableNamesOf } from '@switchboard/template-rules';
import { isJson, type Json, listOf, textOf } from './form-values';

/** Converts a body to the API format, with positional or named samples. */
export function toBody(text: string, samples: Record<string, string>): Json {
  const names = variableNamesOf(text);
  const sampleOf = (name: string): string => samples[name] ?? '';
  if (names.length === 0) return { type: 'BODY', text };
  const example = hasNames(text)
    ? { body_text_named_params: names.map((name) => ({ param_name: name, example: sampleOf(name) })) }
    : { body_text: [names.map(sampleOf)] };
  return { type: 'BODY', text, example };
}

/** Returns body samples by variable name; the inverse of `toBody`. */
export function bodySamplesOf({ text, example }: Json): Record<string, string> {
  const { body_text: listed, body_text_named_params: named } = isJson(example) ? example : {};
  const values = listOf(listOf(listed)[0]).map(textOf);
  return Object.fromEntries([
    ...variableNamesOf(textOf(text)).flatMap((name, index) => (values[index] ? [[name, values[index]] as const] : [])),
    ...listOf(named)
      .filter(isJson)
      .map((one) => [textOf(one.param_name), textOf(one.example)] as const),
  ]);
}

/** Converts a text header with its sample to the API format. */
export function toHeaderText(text: string, sample: string): Json {
  const [name] = bracedTextsOf(text);
  if (name === undefined) return { text };
  return {
    text,
    example: hasNames(text)
      ? { header_text_named_params: [{ param_name: name, example: sample }] }
      : { header_text: [sample] },
  };
}

export function headerSampleOf({ example }: Json): string {
  const { header_text: listed, header_text_named_params: named } = isJson(example) ? example : {};
  const [first] = listOf(named);
  return textOf(listOf(listed)[0]) || (isJson(first) ? textOf(first.example) : '');
}
