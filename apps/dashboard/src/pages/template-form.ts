import { bracedTextsOf, variableNamesOf } from '@switchboard/template-rules';

const BUTTON_KINDS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const;
const MEDIA = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const;
const HEADER_KINDS = ['TEXT', ...MEDIA, 'LOCATION'] as const;
const PARTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'];

/** What a button is, as the editor writes it. Other kinds come from the platform, and are only shown. */
export interface ButtonForm {
  type: (typeof BUTTON_KINDS)[number] | 'OTHER';
  text: string;
  /** The address, the phone number or the sample code. */
  value: string;
  /** Of the variable at the end of an address. */
  sample: string;
}

export type MediaFormat = (typeof MEDIA)[number];

/** An app that takes a one-time password by itself. */
export interface AppForm {
  packageName: string;
  signatureHash: string;
}

/** The content of a template as the editor shows it. */
export interface TemplateForm {
  header: 'NONE' | (typeof HEADER_KINDS)[number] | 'OTHER';
  headerText: string;
  headerSample: string;
  /** Of a header with a file: the id of its sample here, or the address that the platform lists. */
  headerFile: string;
  body: string;
  /** By the variable's name: where in the text it stands does not matter. */
  bodySamples: Record<string, string>;
  footer: string;
  buttons: ButtonForm[];
  /** What this editor does not know, in words. With any of it the template is shown, and not changed here. */
  unknown: string[];
  /** Of an authentication template. */
  hasRecommendation: boolean;
  expiryMinutes: string;
  otpType: 'COPY_CODE' | 'ONE_TAP' | 'ZERO_TAP';
  otpText: string;
  autofillText: string;
  apps: AppForm[];
  acceptsZeroTap: boolean;
}

type Json = Record<string, unknown>;

export const NO_APP: AppForm = { packageName: '', signatureHash: '' };

export function emptyForm(): TemplateForm {
  return {
    ...{ header: 'NONE', headerText: '', headerSample: '', headerFile: '' },
    ...{ body: '', bodySamples: {}, footer: '', buttons: [], unknown: [] },
    ...{ hasRecommendation: true, expiryMinutes: '', otpType: 'COPY_CODE', otpText: '', autofillText: '' },
    ...{ apps: [NO_APP], acceptsZeroTap: false },
  };
}

const isOneOf = <Known extends string>(known: readonly Known[], value: unknown): value is Known =>
  known.some((one) => one === value);

export const isMedia = (header: TemplateForm['header']): header is MediaFormat => isOneOf(MEDIA, header);

/** The components of a draft, as the API takes them. Samples stand where variables are. */
export function toComponents(form: TemplateForm, category: string): Json[] {
  if (category === 'AUTHENTICATION') return authenticationComponents(form);
  const { header, body, bodySamples, footer, buttons } = form;
  const samples = variableNamesOf(body).map((name) => bodySamples[name] ?? '');
  return [
    ...(header === 'NONE' ? [] : [{ type: 'HEADER', format: header, ...headerContent(form) }]),
    { type: 'BODY', text: body, ...(samples.length > 0 && { example: { body_text: [samples] } }) },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(toButton) }]),
  ];
}

function headerContent({ header, headerText: text, headerSample, headerFile }: TemplateForm): Json {
  if (header === 'TEXT')
    return { text, ...(bracedTextsOf(text).length > 0 && { example: { header_text: [headerSample] } }) };
  return isMedia(header) && headerFile !== '' ? { example: { header_handle: [headerFile] } } : {};
}

function toButton({ type, text, value, sample }: ButtonForm): Json {
  if (type === 'URL') return { type, text, url: value, ...(bracedTextsOf(value).length > 0 && { example: [sample] }) };
  if (type === 'PHONE_NUMBER') return { type, text, phone_number: value };
  return type === 'COPY_CODE' ? { type, example: value } : { type, text };
}

function authenticationComponents(form: TemplateForm): Json[] {
  const { hasRecommendation, expiryMinutes, otpType, otpText, autofillText, apps, acceptsZeroTap } = form;
  const toApp = (app: AppForm) => ({ package_name: app.packageName, signature_hash: app.signatureHash });
  const button = {
    ...{ type: 'OTP', otp_type: otpType },
    ...(otpText !== '' && { text: otpText }),
    ...(otpType !== 'COPY_CODE' && autofillText !== '' && { autofill_text: autofillText }),
    ...(otpType !== 'COPY_CODE' && { supported_apps: apps.map(toApp) }),
    ...(otpType === 'ZERO_TAP' && { zero_tap_terms_accepted: acceptsZeroTap }),
  };
  return [
    { type: 'BODY', add_security_recommendation: hasRecommendation },
    ...(expiryMinutes === '' ? [] : [{ type: 'FOOTER', code_expiration_minutes: Number(expiryMinutes) }]),
    { type: 'BUTTONS', buttons: [button] },
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
  const headerExample = isJson(header.example) ? header.example : {};
  const buttons = listOf(of('BUTTONS').buttons).filter(isJson);
  const isCode = category === 'AUTHENTICATION';
  return {
    ...emptyForm(),
    header: headerKindOf(header),
    headerText: textOf(header.text),
    headerSample: textOf(listOf(headerExample.header_text)[0]) || namedSample(headerExample.header_text_named_params),
    headerFile: textOf(listOf(headerExample.header_handle)[0]),
    body: textOf(body.text),
    bodySamples: isCode ? {} : bodySamplesOf(body),
    footer: textOf(footer.text),
    buttons: isCode ? [] : buttons.map(toButtonForm),
    unknown: unknownParts(given, isCode ? [] : buttons),
    ...(isCode && codeParts(body, footer, buttons[0] ?? {})),
  };
}

function codeParts(body: Json, footer: Json, button: Json): Partial<TemplateForm> {
  const apps = listOf(button.supported_apps).filter(isJson);
  return {
    hasRecommendation: body.add_security_recommendation === true,
    expiryMinutes: typeof footer.code_expiration_minutes === 'number' ? String(footer.code_expiration_minutes) : '',
    otpType: otpTypeOf(button),
    otpText: textOf(button.text),
    autofillText: textOf(button.autofill_text),
    apps:
      apps.length === 0
        ? [NO_APP]
        : apps.map((app) => ({ packageName: textOf(app.package_name), signatureHash: textOf(app.signature_hash) })),
    acceptsZeroTap: button.zero_tap_terms_accepted === true,
  };
}

/** Written as a button of type OTP; the platform lists it as a link that names its kind. */
function otpTypeOf({ otp_type: given, url }: Json): TemplateForm['otpType'] {
  const named = given ?? /otp_type=([A-Z_]+)/.exec(textOf(url))?.[1];
  return isOneOf(['ONE_TAP', 'ZERO_TAP'] as const, named) ? named : 'COPY_CODE';
}

function headerKindOf({ type, format }: Json): TemplateForm['header'] {
  if (type === undefined) return 'NONE';
  return isOneOf(HEADER_KINDS, format) ? format : 'OTHER';
}

function bodySamplesOf({ text, example }: Json): Record<string, string> {
  const { body_text: listed, body_text_named_params: named } = isJson(example) ? example : {};
  const values = listOf(listOf(listed)[0]).map(textOf);
  return Object.fromEntries([
    ...variableNamesOf(textOf(text)).flatMap((name, index) => (values[index] ? [[name, values[index]] as const] : [])),
    ...listOf(named)
      .filter(isJson)
      .map((one) => [textOf(one.param_name), textOf(one.example)] as const),
  ]);
}

const namedSample = (given: unknown): string => {
  const [first] = listOf(given);
  return isJson(first) ? textOf(first.example) : '';
};

function toButtonForm({ type, text, url, phone_number: phone, example }: Json): ButtonForm {
  if (!isOneOf(BUTTON_KINDS, type))
    return { type: 'OTHER', text: textOf(text) || inWords(type), value: '', sample: '' };
  const sample = textOf(Array.isArray(example) ? listOf(example)[0] : example);
  const value = type === 'URL' ? textOf(url) : type === 'PHONE_NUMBER' ? textOf(phone) : '';
  if (type === 'COPY_CODE') return { type, text: '', value: sample, sample: '' };
  return { type, text: textOf(text), value, sample: type === 'URL' ? endOf(value, sample) : '' };
}

/** The platform lists the whole address as the sample of a link; what is sent is its end alone. */
function endOf(url: string, sample: string): string {
  const [beginning = ''] = url.split('{{');
  return beginning !== '' && sample.startsWith(beginning) ? sample.slice(beginning.length) : sample;
}

function unknownParts(components: readonly Json[], buttons: readonly Json[]): string[] {
  const header = components.find(({ type }) => type === 'HEADER');
  return [
    ...components.filter(({ type }) => !isOneOf(PARTS, type)).map(({ type }) => `a part of the kind ${inWords(type)}`),
    ...(header && headerKindOf(header) === 'OTHER' ? [`a header of the kind ${inWords(header.format)}`] : []),
    ...buttons
      .filter(({ type }) => !isOneOf(BUTTON_KINDS, type))
      .map(({ type }) => `a button of the kind ${inWords(type)}`),
  ];
}

/** `CATALOG` as a reader sees it. */
function inWords(kind: unknown): string {
  const text = textOf(kind).replaceAll('_', ' ').toLowerCase();
  return text === '' ? 'Unknown' : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why a template cannot be changed here; undefined when it can. */
export function editRefusal({ unknown }: Pick<TemplateForm, 'unknown'>): string | undefined {
  return unknown.length === 0
    ? undefined
    : `It has ${new Intl.ListFormat('en').format(unknown)}, which this editor does not know. Change it on the platform's own pages.`;
}
