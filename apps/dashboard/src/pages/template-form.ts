import { bracedTextsOf } from '@switchboard/template-rules';
import type { Schemas } from '../api/client';

type SentComponent = NonNullable<Schemas['TestSend']['components']>[number];

/** What a button is, as the editor writes it. */
export interface ButtonForm {
  type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE';
  text: string;
  /** The address, the phone number or the sample code. */
  value: string;
  /** Of the variable at the end of an address. */
  sample: string;
}

export type MediaFormat = 'IMAGE' | 'VIDEO' | 'DOCUMENT';

/** The content of a template as the editor shows it. */
export interface TemplateForm {
  header: 'NONE' | 'TEXT' | MediaFormat | 'LOCATION';
  headerText: string;
  headerSample: string;
  /** Of a header with a file: the id of its sample here, or the address that the platform lists. */
  headerFile: string;
  body: string;
  bodySamples: string[];
  footer: string;
  buttons: ButtonForm[];
  /** Of an authentication template. */
  hasRecommendation: boolean;
  expiryMinutes: string;
  otpType: 'COPY_CODE' | 'ONE_TAP' | 'ZERO_TAP';
  otpText: string;
  packageName: string;
  signatureHash: string;
  acceptsZeroTap: boolean;
}

type Json = Record<string, unknown>;

export const CATEGORIES = [
  ['UTILITY', 'Utility'],
  ['MARKETING', 'Marketing'],
  ['AUTHENTICATION', 'Authentication'],
] as const satisfies readonly (readonly [string, string])[] as readonly (readonly [string, string])[];

export const LANGUAGES = [
  ...[
    ['en_US', 'English (US)'],
    ['en_GB', 'English (UK)'],
    ['en', 'English'],
    ['hi', 'Hindi'],
    ['ar', 'Arabic'],
  ],
  ...[
    ['es', 'Spanish'],
    ['es_MX', 'Spanish (Mexico)'],
    ['pt_BR', 'Portuguese (Brazil)'],
    ['fr', 'French'],
  ],
  ...[
    ['de', 'German'],
    ['it', 'Italian'],
    ['nl', 'Dutch'],
    ['id', 'Indonesian'],
    ['tr', 'Turkish'],
  ],
  ...[
    ['ru', 'Russian'],
    ['uk', 'Ukrainian'],
    ['pl', 'Polish'],
    ['he', 'Hebrew'],
    ['fa', 'Persian'],
    ['ur', 'Urdu'],
  ],
  ...[
    ['bn', 'Bengali'],
    ['ta', 'Tamil'],
    ['te', 'Telugu'],
    ['mr', 'Marathi'],
    ['gu', 'Gujarati'],
    ['kn', 'Kannada'],
  ],
  ...[
    ['ja', 'Japanese'],
    ['ko', 'Korean'],
    ['zh_CN', 'Chinese (simplified)'],
    ['zh_HK', 'Chinese (Hong Kong)'],
  ],
  ...[
    ['th', 'Thai'],
    ['vi', 'Vietnamese'],
    ['ms', 'Malay'],
    ['fil', 'Filipino'],
    ['sw', 'Swahili'],
  ],
] as [code: string, text: string][];

const RIGHT_TO_LEFT = ['ar', 'he', 'fa', 'ur'];

export const isRightToLeft = (language: string): boolean => RIGHT_TO_LEFT.includes(language.split('_')[0] ?? '');

export function emptyForm(category: string): TemplateForm {
  return {
    ...{
      header: 'NONE',
      headerText: '',
      headerSample: '',
      headerFile: '',
      body: '',
      bodySamples: [],
      footer: '',
      buttons: [],
    },
    ...{ hasRecommendation: true, expiryMinutes: '', otpType: 'COPY_CODE' },
    ...{ otpText: category === 'AUTHENTICATION' ? 'Copy code' : '', packageName: '', signatureHash: '' },
    ...{ acceptsZeroTap: false },
  };
}

export const isMedia = (header: TemplateForm['header']): header is MediaFormat =>
  ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(header);

/** The components of a draft, as the API takes them. Samples stand where variables are. */
export function toComponents(form: TemplateForm, category: string): Json[] {
  if (category === 'AUTHENTICATION') return authenticationComponents(form);
  const { header, headerText, headerSample, headerFile, body, bodySamples, footer, buttons } = form;
  const samples = bracedTextsOf(body).map((_, index) => bodySamples[index] ?? '');
  return [
    ...(header === 'TEXT'
      ? [
          {
            type: 'HEADER',
            format: 'TEXT',
            text: headerText,
            ...(bracedTextsOf(headerText).length > 0 && { example: { header_text: [headerSample] } }),
          },
        ]
      : []),
    ...(isMedia(header)
      ? [{ type: 'HEADER', format: header, ...(headerFile !== '' && { example: { header_handle: [headerFile] } }) }]
      : []),
    ...(header === 'LOCATION' ? [{ type: 'HEADER', format: 'LOCATION' }] : []),
    { type: 'BODY', text: body, ...(samples.length > 0 && { example: { body_text: [samples] } }) },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(toButton) }]),
  ];
}

function toButton({ type, text, value, sample }: ButtonForm): Json {
  if (type === 'URL') return { type, text, url: value, ...(bracedTextsOf(value).length > 0 && { example: [sample] }) };
  if (type === 'PHONE_NUMBER') return { type, text, phone_number: value };
  return type === 'COPY_CODE' ? { type, example: value } : { type, text };
}

function authenticationComponents(form: TemplateForm): Json[] {
  const { hasRecommendation, expiryMinutes, otpType, otpText, packageName, signatureHash, acceptsZeroTap } = form;
  const apps = { supported_apps: [{ package_name: packageName, signature_hash: signatureHash }] };
  return [
    { type: 'BODY', add_security_recommendation: hasRecommendation },
    ...(expiryMinutes === '' ? [] : [{ type: 'FOOTER', code_expiration_minutes: Number(expiryMinutes) }]),
    {
      type: 'BUTTONS',
      buttons: [
        {
          ...{ type: 'OTP', otp_type: otpType },
          ...(otpText !== '' && { text: otpText }),
          ...(otpType !== 'COPY_CODE' && apps),
          ...(otpType === 'ZERO_TAP' && { zero_tap_terms_accepted: acceptsZeroTap }),
        },
      ],
    },
  ];
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The form of what is stored: the inverse of `toComponents`. */
export function toForm(components: readonly object[], category: string): TemplateForm {
  const given = components.filter(isJson);
  const of = (type: string): Json => given.find((component) => component.type === type) ?? {};
  const [header, body, footer] = [of('HEADER'), of('BODY'), of('FOOTER')];
  const example = isJson(body.example) ? body.example : {};
  const headerExample = isJson(header.example) ? header.example : {};
  const buttons = listOf(of('BUTTONS').buttons).filter(isJson);
  const otp = buttons.find(({ type }) => type === 'OTP') ?? {};
  const [app = {}] = listOf(otp.supported_apps).filter(isJson);
  return {
    ...emptyForm(category),
    header: (header.format as TemplateForm['header'] | undefined) ?? 'NONE',
    headerText: textOf(header.text),
    headerSample: textOf(listOf(headerExample.header_text)[0]),
    headerFile: textOf(listOf(headerExample.header_handle)[0]),
    body: textOf(body.text),
    bodySamples: listOf(listOf(example.body_text)[0]).map(textOf),
    footer: textOf(footer.text),
    buttons: buttons.filter(({ type }) => type !== 'OTP').map(toButtonForm),
    hasRecommendation: body.add_security_recommendation !== false,
    expiryMinutes: typeof footer.code_expiration_minutes === 'number' ? String(footer.code_expiration_minutes) : '',
    otpType: (otp.otp_type as TemplateForm['otpType'] | undefined) ?? 'COPY_CODE',
    otpText: textOf(otp.text),
    packageName: textOf(app.package_name),
    signatureHash: textOf(app.signature_hash),
    acceptsZeroTap: otp.zero_tap_terms_accepted === true,
  };
}

function toButtonForm({ type, text, url, phone_number: phone, example }: Json): ButtonForm {
  const sample = textOf(Array.isArray(example) ? listOf(example)[0] : example);
  const value = type === 'URL' ? textOf(url) : type === 'PHONE_NUMBER' ? textOf(phone) : sample;
  return { type: type as ButtonForm['type'], text: textOf(text), value, sample: type === 'URL' ? sample : '' };
}

/** What a template is sent with. */
interface TemplateSend {
  name: string;
  language: string;
  category: string;
  /** Its samples fill the variables. */
  form: TemplateForm;
  /** Of the header's file. */
  link?: string;
}

/** A send of the template as the public API takes it, with its samples. */
export function sampleSend(of: TemplateSend) {
  const { name, language, category, form, link = 'https://example.com/file' } = of;
  const text = (sample: string) => ({ type: 'text' as const, text: sample });
  const links = form.buttons.flatMap(({ type, value, sample }, index) =>
    type === 'URL' && bracedTextsOf(value).length > 0
      ? [{ type: 'button', sub_type: 'url', index: String(index), parameters: [text(sample)] }]
      : [],
  );
  const hasHeader = form.header === 'TEXT' && bracedTextsOf(form.headerText).length > 0;
  const samples = category === 'AUTHENTICATION' ? ['123456'] : form.bodySamples;
  const { header } = form;
  const file = isMedia(header)
    ? [{ type: header.toLowerCase() as Lowercase<MediaFormat>, [header.toLowerCase()]: { link } }]
    : [];
  const components = [
    ...(file.length > 0 ? [{ type: 'header', parameters: file }] : []),
    ...(hasHeader ? [{ type: 'header', parameters: [text(form.headerSample)] }] : []),
    ...(samples.length > 0 ? [{ type: 'body', parameters: samples.map(text) }] : []),
    ...(category === 'AUTHENTICATION'
      ? [{ type: 'button', sub_type: 'url', index: '0', parameters: [text('123456')] }]
      : links),
  ] as SentComponent[];
  const template = { name, language: { code: language }, ...(components.length > 0 && { components }) };
  return { to: '919812345678', type: 'template', template };
}

/** One variable of a template, wherever it stands, with its value. */
export interface FormVariable {
  name: string;
  where: string;
  value: string;
  /** @returns what of the form is different with another value */
  change(value: string): Partial<TemplateForm>;
}

/** Every variable of header, body and links, in this order. */
export function variablesOf(form: TemplateForm): FormVariable[] {
  const { header, headerText, headerSample, body, bodySamples, buttons } = form;
  const inBody = bracedTextsOf(body);
  return [
    ...(header === 'TEXT' ? bracedTextsOf(headerText).slice(0, 1) : []).map((name) => ({
      ...{ name, where: 'Header', value: headerSample },
      change: (value: string) => ({ headerSample: value }),
    })),
    ...inBody.map((name, index) => ({
      ...{ name, where: 'Body', value: bodySamples[index] ?? '' },
      change: (value: string) => ({
        bodySamples: inBody.map((_, at) => (at === index ? value : (bodySamples[at] ?? ''))),
      }),
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
