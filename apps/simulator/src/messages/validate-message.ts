import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import type { BusinessNumber } from '../numbers/number-store';
import type { StoredTemplate } from '../templates/seed';
import type { TemplateStore } from '../templates/template-store';
import { checkTemplateSend } from '../templates/validate-template';

export const MEDIA_TYPES = ['image', 'document', 'video', 'audio'] as const;
const TYPES = ['text', 'template', ...MEDIA_TYPES];
const MAX_TEXT = 4_096;
const MAX_CAPTION = 1_024;
const MAX_OPAQUE = 512;
const FIELDS_BY_MEDIA_TYPE: Record<string, readonly string[]> = {
  image: ['id', 'link', 'caption'],
  document: ['id', 'link', 'caption', 'filename'],
  video: ['id', 'link', 'caption'],
  audio: ['id', 'link', 'voice'],
};

/** A send that passed all checks. */
export interface CheckedSend {
  /** `to` as it came. */
  input: string;
  /** The user's number, digits only. */
  waId: string;
  /** The plus was missing, so the number's country code was put in front. */
  misrouted: boolean;
  type: string;
  /** Set when type is template. */
  template?: StoredTemplate;
  opaque?: string;
}

/**
 * Checks the body of `POST /{phone-number-id}/messages` as strictly as the platform does.
 * @throws GraphError with the platform's code; nothing is sent then
 */
export function checkSend(body: JsonObject, number: BusinessNumber, templates: TemplateStore): CheckedSend {
  checkProduct(body);
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual') {
    throw invalidParameter('Param recipient_type must be one of {INDIVIDUAL}.');
  }
  const recipient = readRecipient(body.to, number);
  const type = body.type ?? 'text';
  if (typeof type !== 'string' || !TYPES.includes(type)) {
    throw invalidParameter(`Param type must be one of {${TYPES.map((name) => name.toUpperCase()).join(', ')}}.`);
  }
  checkContext(body.context);
  const opaque = readOpaque(body.biz_opaque_callback_data);
  if (type === 'text') checkText(body.text);
  else if (type !== 'template') checkMedia(type, body[type]);
  const template = type === 'template' ? checkTemplateSend(body.template, templates) : undefined;
  return { ...recipient, type, template, opaque };
}

/** @throws GraphError 100 unless the body is for this product */
export function checkProduct(body: JsonObject): void {
  if (body.messaging_product === undefined) throw invalidParameter('The parameter messaging_product is required.');
  if (body.messaging_product !== 'whatsapp') throw invalidParameter('Param messaging_product must be one of {WHATSAPP}.');
}

/** Without the plus the platform reads the digits as a national number of the business number's country. */
function readRecipient(to: unknown, number: BusinessNumber): Pick<CheckedSend, 'input' | 'waId' | 'misrouted'> {
  if (to === undefined || to === '') throw invalidParameter('The parameter to is required.');
  if (typeof to !== 'string') throw invalidParameter('Param to must be a string.');
  const digits = /^[+\d][\d\s()-]*$/.test(to) ? to.replace(/\D/g, '') : '';
  const misrouted = !to.startsWith('+');
  const waId = misrouted ? number.countryCode + digits : digits;
  if (digits.length < 7 || waId.length > 15) throw refusal(131009, 'Recipient phone number is not a valid phone number');
  if (waId === number.displayDigits) {
    throw refusal(131021, 'Recipient phone number and sender phone number are the same');
  }
  return { input: to, waId, misrouted };
}

function checkContext(context: unknown): void {
  if (context === undefined) return;
  if (!isObject(context) || typeof context.message_id !== 'string' || !context.message_id.startsWith('wamid.')) {
    throw refusal(131009, "Param context['message_id'] is not a valid message id");
  }
}

function readOpaque(opaque: unknown): string | undefined {
  if (opaque === undefined) return undefined;
  if (typeof opaque !== 'string') throw invalidParameter('Param biz_opaque_callback_data must be a string.');
  if (opaque.length > MAX_OPAQUE) throw tooLong('biz_opaque_callback_data', MAX_OPAQUE);
  return opaque;
}

function tooLong(param: string, most: number): Error {
  return invalidParameter(`Param ${param} must be at most ${most} characters long.`);
}

function checkText(text: unknown): void {
  if (!isObject(text)) throw invalidParameter('The parameter text is required.');
  refuseUnexpected(text, ['body', 'preview_url'], 'text');
  if (typeof text.body !== 'string' || text.body.trim() === '') throw invalidParameter("The parameter text['body'] is required.");
  if (text.body.length > MAX_TEXT) throw tooLong("text['body']", MAX_TEXT);
}

function checkMedia(type: string, media: unknown): void {
  if (!isObject(media)) throw invalidParameter(`The parameter ${type} is required.`);
  refuseUnexpected(media, FIELDS_BY_MEDIA_TYPE[type] ?? [], type);
  if ((media.id === undefined) === (media.link === undefined)) throw invalidParameter('Either one of media ID or link must be present.');
  // Nothing can be uploaded here yet, so no id exists.
  if (media.id !== undefined) throw invalidParameter(`Param ${type}['id'] is not a valid whatsapp business account media attachment ID.`);
  if (!isHttpLink(media.link)) throw invalidParameter(`Param ${type}['link'] is not a valid URI.`);
  if (media.caption !== undefined && typeof media.caption !== 'string') throw invalidParameter(`Param ${type}['caption'] must be a string.`);
  if (typeof media.caption === 'string' && media.caption.length > MAX_CAPTION) throw tooLong(`${type}['caption']`, MAX_CAPTION);
}

function refuseUnexpected(object: JsonObject, known: readonly string[], param: string): void {
  const unexpected = Object.keys(object).find((field) => !known.includes(field));
  if (unexpected !== undefined) throw invalidParameter(`Unexpected key "${unexpected}" on param "${param}".`);
}

function isHttpLink(link: unknown): boolean {
  return typeof link === 'string' && /^https?:\/\//i.test(link) && URL.canParse(link);
}
