import { bracedTextsOf, variableNamesOf } from '@switchboard/template-rules';
import type { TemplateForm } from './template-form';

/** One variable of a template, wherever it stands, with its value. */
export interface FormVariable {
  name: string;
  /** `Header`, `Body`, `Link of “Track”`. */
  where: string;
  value: string;
  /** @returns what of the form is different with another value */
  change(value: string): Partial<TemplateForm>;
}

/** Every variable of header, body and links, in this order; those of a text by their numbers. */
export function variablesOf(form: TemplateForm): FormVariable[] {
  const { header, headerText, headerSample, body, bodySamples, buttons } = form;
  return [
    ...(header === 'TEXT' ? bracedTextsOf(headerText).slice(0, 1) : []).map((name) => ({
      ...{ name, where: 'Header', value: headerSample },
      change: (value: string) => ({ headerSample: value }),
    })),
    ...variableNamesOf(body).map((name) => ({
      ...{ name, where: 'Body', value: bodySamples[name] ?? '' },
      change: (value: string) => ({ bodySamples: { ...bodySamples, [name]: value } }),
    })),
    ...buttons.flatMap(({ type, text, value: address, sample }, index) =>
      type === 'URL' && bracedTextsOf(address).length > 0
        ? [
            {
              ...{ name: '1', where: `Link of “${text || `button ${index + 1}`}”`, value: sample },
              change: (value: string) => ({
                buttons: buttons.map((button, at) => (at === index ? { ...button, sample: value } : button)),
              }),
            },
          ]
        : [],
    ),
  ];
}
