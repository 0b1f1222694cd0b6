import { LOCALE } from '../../../lib/formats';
import { type ButtonForm, isKnownButton, toButton, toButtonForm } from './button-form';
import { type CardForm, toCardForms, toCarousel, unknownOfCards } from './card-form';
import { inWords, isJson, isOneOf, type Json, listOf, textOf } from './form-values';
import { bodySamplesOf, headerSampleOf, toBody, toHeaderText } from './text-form';

const MEDIA = ['IMAGE', 'VIDEO', 'GIF', 'DOCUMENT'] as const;
const HEADER_KINDS = ['TEXT', ...MEDIA, 'LOCATION', 'PRODUCT'] as const;
const PARTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER'];

export type MediaFormat = (typeof MEDIA)[number];

/** App that receives one-time passwords automatically. */
export interface AppForm {
  packageName: string;
  signatureHash: string;
}

export interface OfferForm {
  text: string;
  ends: boolean;
}

export interface TemplateForm {
  header: 'NONE' | (typeof HEADER_KINDS)[number] | 'OTHER';
  headerText: string;
  headerSample: string;
  /** For a media header: ID of an uploaded sample, URL that WhatsApp lists, or the file of a message. */
  headerFile: string;
  /** Name of the document in a message. */
  headerFileName?: string | undefined;
  body: string;
  /** Samples by variable name, whatever their order in the text. */
  bodySamples: Record<string, string>;
  footer: string;
  buttons: ButtonForm[];
  /** Carousel cards; empty in all other templates. */
  cards: CardForm[];
  offer: OfferForm | null;
  /** Descriptions of parts that the editor does not support. Any of them makes the template read-only. */
  unknown: string[];
  /** Fields of authentication templates. */
  hasRecommendation: boolean;
  expiryMinutes: string;
  otpType: 'COPY_CODE' | 'ONE_TAP' | 'ZERO_TAP';
  otpText: string;
  autofillText: string;
  apps: AppForm[];
  acceptsZeroTap: boolean;
}

export const NO_APP: AppForm = { packageName: '', signatureHash: '' };

export function emptyForm(): TemplateForm {
  return {
    header: 'NONE',
    headerText: '',
    headerSample: '',
    headerFile: '',
    body: '',
    bodySamples: {},
    footer: '',
    buttons: [],
    cards: [],
    offer: null,
    unknown: [],
    hasRecommendation: true,
    expiryMinutes: '',
    otpType: 'COPY_CODE',
    otpText: '',
    autofillText: '',
    apps: [NO_APP],
    acceptsZeroTap: false,
  };
}

export const isMedia = (header: TemplateForm['header']): header is MediaFormat => isOneOf(MEDIA, header);

/** Returns the text of an authentication template, which the platform provides. */
export const codeText = ({ body, hasRecommendation }: TemplateForm): string =>
  body || `{{1}} is your verification code.${hasRecommendation ? ' For your security, do not share this code.' : ''}`;

/** Converts the form to API components. Samples are included only for variables that the text uses. */
export function toComponents(form: TemplateForm, category: string): Json[] {
  if (category === 'AUTHENTICATION') return authenticationComponents(form);
  const { header, body, bodySamples, footer, buttons, cards, offer } = form;
  return [
    ...(header === 'NONE' ? [] : [{ type: 'HEADER', format: header, ...headerContent(form) }]),
    ...(offer === null
      ? []
      : [{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: offer.text, has_expiration: offer.ends } }]),
    toBody(body, bodySamples),
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(toButton) }]),
    ...(cards.length === 0 ? [] : [toCarousel(cards)]),
  ];
}

function headerContent({ header, headerText, headerSample, headerFile }: TemplateForm): Json {
  if (header === 'TEXT') return toHeaderText(headerText, headerSample);
  return isMedia(header) && headerFile !== '' ? { example: { header_handle: [headerFile] } } : {};
}

function authenticationComponents(form: TemplateForm): Json[] {
  const { hasRecommendation, expiryMinutes, otpType, otpText, autofillText, apps, acceptsZeroTap } = form;
  const toApp = (app: AppForm) => ({ package_name: app.packageName, signature_hash: app.signatureHash });
  const button = {
    type: 'OTP',
    otp_type: otpType,
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

/** Converts stored components to form state; the inverse of `toComponents`. */
export function toForm(components: readonly object[], category: string): TemplateForm {
  const given = components.filter(isJson);
  const of = (type: string): Json => given.find((component) => component.type === type) ?? {};
  const [header, body, footer] = [of('HEADER'), of('BODY'), of('FOOTER')];
  const headerExample = isJson(header.example) ? header.example : {};
  const buttons = listOf(of('BUTTONS').buttons).filter(isJson);
  const { type: offerType, limited_time_offer: offer } = of('LIMITED_TIME_OFFER');
  const isCode = category === 'AUTHENTICATION';
  return {
    ...emptyForm(),
    header: headerKindOf(header),
    headerText: textOf(header.text),
    headerSample: headerSampleOf(header),
    headerFile: textOf(listOf(headerExample.header_handle)[0]),
    body: textOf(body.text),
    bodySamples: isCode ? {} : bodySamplesOf(body),
    footer: textOf(footer.text),
    buttons: isCode ? [] : buttons.map(toButtonForm),
    cards: toCardForms(of('CAROUSEL')),
    offer: offerType === undefined ? null : toOfferForm(offer),
    unknown: unknownParts(given, isCode ? [] : buttons),
    ...(isCode && codeParts(body, footer, buttons[0] ?? {})),
  };
}

function toOfferForm(offer: unknown): OfferForm {
  const { text, has_expiration: ends } = isJson(offer) ? offer : {};
  return { text: textOf(text), ends: ends === true };
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

/** Requests use a button of type OTP; WhatsApp lists it as a URL button whose URL names the OTP type. */
function otpTypeOf({ otp_type: given, url }: Json): TemplateForm['otpType'] {
  const named = given ?? /otp_type=([A-Z_]+)/.exec(textOf(url))?.[1];
  return isOneOf(['ONE_TAP', 'ZERO_TAP'] as const, named) ? named : 'COPY_CODE';
}

function headerKindOf({ type, format }: Json): TemplateForm['header'] {
  if (type === undefined) return 'NONE';
  return isOneOf(HEADER_KINDS, format) ? format : 'OTHER';
}

function unknownParts(components: readonly Json[], buttons: readonly Json[]): string[] {
  const header = components.find(({ type }) => type === 'HEADER');
  return [
    ...components.filter(({ type }) => !isOneOf(PARTS, type)).map(({ type }) => `a component of type ${inWords(type)}`),
    ...(header && headerKindOf(header) === 'OTHER' ? [`a header of type ${inWords(header.format)}`] : []),
    ...buttons.filter((button) => !isKnownButton(button)).map(({ type }) => `a button of type ${inWords(type)}`),
    ...unknownOfCards(components.find(({ type }) => type === 'CAROUSEL') ?? {}),
  ];
}

/** Returns why a template is read-only; undefined when it can be edited. */
export function editRefusal({ unknown }: Pick<TemplateForm, 'unknown'>): string | undefined {
  return unknown.length === 0
    ? undefined
    : `This template contains ${new Intl.ListFormat(LOCALE).format(unknown)}, which this editor does not support. Edit it on the platform.`;
}
