import { bracedTextsOf, variableNamesOf } from '@switchboard/template-rules';
import type { Schemas } from '../api/client';
import { isMedia, type MediaFormat, type TemplateForm } from './template-form';

type SentComponent = NonNullable<Schemas['TestSend']['components']>[number];

/** Stands for the code of an authentication template. */
const SAMPLE_CODE = '123456';

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

/** What a send asks for: every variable, and the code of each copy button, which stands in no text. */
export function sendValuesOf(form: TemplateForm): (Pick<FormVariable, 'value' | 'change'> & { label: string })[] {
  const { buttons } = form;
  return [
    ...variablesOf(form).map(({ name, where, ...variable }) => ({ ...variable, label: `{{${name}}} of ${where}` })),
    ...buttons.flatMap(({ type, value }, index) =>
      type === 'COPY_CODE'
        ? [
            {
              ...{ label: `Code of button ${index + 1}`, value },
              change: (code: string) => ({
                buttons: buttons.map((button, at) => (at === index ? { ...button, value: code } : button)),
              }),
            },
          ]
        : [],
    ),
  ];
}

/** The form without its samples: nobody shall get one by mistake. */
export function withoutSamples(form: TemplateForm): TemplateForm {
  const buttons = form.buttons.map((button) => ({
    ...button,
    sample: '',
    ...(button.type === 'COPY_CODE' && { value: '' }),
  }));
  return { ...form, headerSample: '', bodySamples: {}, buttons };
}

/** What the template is sent with, and fills its variables. */
export interface TemplateSend {
  name: string;
  language: string;
  category: string;
  /** Its samples fill the variables. */
  form: TemplateForm;
  /** Of the header's file. */
  link?: string;
  /** Of an authentication template. */
  code?: string;
}

/** A send of the template as the public API takes it, with its samples. */
export function sampleSend({ name, language, category, form, ...given }: TemplateSend) {
  const { link = 'https://example.com/file', code = SAMPLE_CODE } = given;
  const components = category === 'AUTHENTICATION' ? codeComponents(code) : textComponents(form, link);
  const template = { name, language: { code: language }, ...(components.length > 0 && { components }) };
  return { to: '919812345678', type: 'template', template };
}

function codeComponents(code: string): SentComponent[] {
  const parameters = [{ type: 'text' as const, text: code }];
  return [
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: '0', parameters },
  ];
}

function textComponents(form: TemplateForm, link: string): SentComponent[] {
  const { header, headerText, headerSample, body, bodySamples, buttons } = form;
  const [inHeader] = header === 'TEXT' ? bracedTextsOf(headerText) : [];
  const inBody = variableNamesOf(body).map((name) => filled(name, bodySamples[name] ?? ''));
  return [
    ...(isMedia(header) ? [{ type: 'header', parameters: [fileAt(link, header)] }] : []),
    ...(inHeader === undefined ? [] : [{ type: 'header', parameters: [filled(inHeader, headerSample)] }]),
    ...(inBody.length === 0 ? [] : [{ type: 'body', parameters: inBody }]),
    ...buttons.flatMap(({ type, value, sample }, index): object[] => {
      const button = { type: 'button', index: String(index) };
      if (type === 'COPY_CODE')
        return [{ ...button, sub_type: 'copy_code', parameters: [{ type: 'coupon_code', coupon_code: value }] }];
      const isLink = type === 'URL' && bracedTextsOf(value).length > 0;
      return isLink ? [{ ...button, sub_type: 'url', parameters: [{ type: 'text', text: sample }] }] : [];
    }),
  ] as SentComponent[];
}

/** A name that is no number is given with its value. */
function filled(name: string, text: string): { type: 'text'; text: string; parameter_name?: string } {
  return { type: 'text', text, ...(!/^[0-9]*$/.test(name) && { parameter_name: name.trim() }) };
}

function fileAt(link: string, header: MediaFormat): object {
  const kind = header.toLowerCase();
  return { type: kind, [kind]: { link } };
}
