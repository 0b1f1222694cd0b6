import { GraphError, invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import type { MediaLink } from '../media/link-fetcher';
import { bareMimeType, fitsKind, isHttpLink } from '../media/media-rules';
import type { MediaStore } from '../media/media-store';
import type { BusinessNumber } from '../numbers/number-store';
import type { StoredTemplate } from '../templates/seed';
import { checkProduct } from '../product';
import type { TemplateStore } from '../templates/template-store';
import { checkTemplateSend } from '../templates/validate-template';
import { checkInteractive } from './validate-interactive';
import { checkContacts, checkLocation, checkReaction } from './validate-personal';
import { userIdOf, waIdOf, waIdOfUser } from '../customers/identity';

interface Recipient {
  /** `to` (or `recipient`) as received. */
  input: string;
  /** The user's WhatsApp id, which may differ from the digits of `input`. */
  waId: string;
  /** True when the plus was missing, so that the business number's country code was prepended. */
  misrouted: boolean;
  /** True when the recipient was addressed by user id. The response and the statuses then hide the phone number. */
  byUserId: boolean;
}

/**
 * Reads the recipient of a send; `to` takes precedence over `recipient`.
 * @throws GraphError 100, 131009, 131021
 */
function readRecipient({ to, recipient }: JsonObject, number: BusinessNumber): Recipient {
  if ((to === undefined || to === '') && recipient !== undefined) return readUserId(recipient);
  if (to === undefined || to === '') throw invalidParameter('The parameter to is required.');
  if (typeof to !== 'string') throw invalidParameter('Param to must be a string.');
  const digits = /^[+\d][\d\s()-]*$/.test(to) ? to.replace(/\D/g, '') : '';
  // Without a plus, the platform interprets the digits as a national number of the business number's country.
  const misrouted = !to.startsWith('+');
  const international = misrouted ? number.countryCode + digits : digits;
  if (digits.length < 7 || international.length > 15)
    throw refusal(131009, 'Recipient phone number is not a valid phone number');
  if (international === number.displayDigits) {
    throw refusal(131021, 'Recipient phone number and sender phone number are the same');
  }
  return { input: to, waId: waIdOf(international), misrouted, byUserId: false };
}

function readUserId(recipient: unknown): Recipient {
  const waId = typeof recipient === 'string' ? waIdOfUser(recipient) : undefined;
  if (!waId) throw refusal(131009, 'Recipient is not a valid business-scoped user ID');
  return { input: userIdOf(waId), waId, misrouted: false, byUserId: true };
}

export const MEDIA_TYPES = ['image', 'document', 'video', 'audio', 'sticker'] as const;
const TYPES = ['text', 'template', ...MEDIA_TYPES, 'interactive', 'location', 'contacts', 'reaction'];
const MAX_TEXT = 4_096;
const MAX_CAPTION = 1_024;
/** Voice messages must be Ogg with Opus. */
const VOICE_MIME_TYPE = 'audio/ogg';
const MAX_OPAQUE = 512;
/** Subcode of code 100 for an expired or unknown media id. */
const UNKNOWN_MEDIA = 2494009;
const FIELDS_BY_MEDIA_TYPE: Record<string, readonly string[]> = {
  image: ['id', 'link', 'caption'],
  document: ['id', 'link', 'caption', 'filename'],
  video: ['id', 'link', 'caption'],
  gif: ['id', 'link'],
  audio: ['id', 'link', 'voice'],
  sticker: ['id', 'link'],
};

export interface CheckedSend extends Recipient {
  type: string;
  template?: StoredTemplate;
  opaque?: string;
  /** True when sent through the Marketing Messages API. */
  isMarketing?: boolean;
  /** Media that the platform fetches after its response. */
  link?: MediaLink;
  /** Why the media cannot be sent. Determined after the response, so that the message fails then. */
  mediaProblem?: string;
  /** Id of the message that a reaction targets. */
  reactsTo?: string;
}

export interface Catalogue {
  templates: Pick<TemplateStore, 'find'>;
  media: Pick<MediaStore, 'find'>;
}

/**
 * Validates the body of `POST /{phone-number-id}/messages` as strictly as the platform.
 * @throws GraphError with the platform's code, and then nothing is sent
 */
export function checkSend(body: JsonObject, number: BusinessNumber, catalogue: Catalogue): CheckedSend {
  checkProduct(body);
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual') {
    throw invalidParameter('Param recipient_type must be one of {INDIVIDUAL}.');
  }
  const recipient = readRecipient(body, number);
  const type = body.type ?? 'text';
  if (typeof type !== 'string' || !TYPES.includes(type)) {
    throw invalidParameter(`Param type must be one of {${TYPES.map((name) => name.toUpperCase()).join(', ')}}.`);
  }
  checkContext(body.context);
  const opaque = readOpaque(body.biz_opaque_callback_data);
  return { ...recipient, type, opaque, ...checkContent(type, body, { recipient, catalogue }) };
}

function checkContent(
  type: string,
  body: JsonObject,
  { recipient, catalogue }: { recipient: Recipient; catalogue: Catalogue },
): Partial<CheckedSend> {
  const { [type]: content } = body;
  if (type === 'template') return readTemplate(content, recipient, catalogue);
  if (type === 'interactive') {
    let header: MediaFindings = {};
    checkInteractive(content, (kind, media) => (header = checkMedia(kind, media, catalogue.media)));
    return header;
  }
  if (type === 'reaction') return { reactsTo: checkReaction(content) };
  if (type === 'text') checkText(content);
  else if (type === 'location') checkLocation(content);
  else if (type === 'contacts') checkContacts(content);
  else return checkMedia(type, content, catalogue.media);
  return {};
}

type MediaFindings = Pick<CheckedSend, 'link' | 'mediaProblem'>;

function readTemplate(
  send: unknown,
  { byUserId }: Recipient,
  catalogue: Catalogue,
): MediaFindings & Pick<CheckedSend, 'template'> {
  let header: MediaFindings = {};
  const template = checkTemplateSend(send, catalogue.templates, (kind, media) => {
    header = checkMedia(kind, media, catalogue.media);
  });
  // A one-time code must be sent to a phone number, never to a user id.
  if (byUserId && template.category === 'AUTHENTICATION') {
    throw refusal(131062, 'Business-scoped User ID (BSUID) recipients are not supported for this message');
  }
  return { ...header, template };
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
  if (typeof text.body !== 'string' || text.body.trim() === '')
    throw invalidParameter("The parameter text['body'] is required.");
  if (text.body.length > MAX_TEXT) throw tooLong("text['body']", MAX_TEXT);
}

/** Checks the media as far as possible before the response. */
function checkMedia(kind: string, given: unknown, media: Catalogue['media']): MediaFindings {
  if (!isObject(given)) throw invalidParameter(`The parameter ${kind} is required.`);
  refuseUnexpected(given, FIELDS_BY_MEDIA_TYPE[kind] ?? [], kind);
  const { id, link, caption, voice } = given;
  if (voice !== undefined && typeof voice !== 'boolean')
    throw invalidParameter(`Param ${kind}['voice'] must be a boolean.`);
  if ((id === undefined) === (link === undefined))
    throw invalidParameter('Either one of media ID or link must be present.');
  if (link !== undefined && !isHttpLink(link)) throw invalidParameter(`Param ${kind}['link'] is not a valid URI.`);
  if (caption !== undefined && typeof caption !== 'string')
    throw invalidParameter(`Param ${kind}['caption'] must be a string.`);
  if (typeof caption === 'string' && caption.length > MAX_CAPTION) throw tooLong(`${kind}['caption']`, MAX_CAPTION);
  if (link !== undefined) return { link: { url: String(link), kind } };
  const stored = media.find(String(id), Date.now());
  if (!stored) {
    const sentence = `(#100) Param ${kind}['id'] is not a valid whatsapp business account media attachment ID.`;
    throw new GraphError(100, sentence, { subcode: UNKNOWN_MEDIA });
  }
  if (!fitsKind(stored.mimeType, kind))
    return { mediaProblem: `Media of type ${stored.mimeType} cannot be sent as ${kind}` };
  return given.voice === true && bareMimeType(stored.mimeType) !== VOICE_MIME_TYPE
    ? { mediaProblem: `Media of type ${stored.mimeType} cannot be sent as a voice message` }
    : {};
}

function refuseUnexpected(object: JsonObject, known: readonly string[], param: string): void {
  const unexpected = Object.keys(object).find((field) => !known.includes(field));
  if (unexpected !== undefined) throw invalidParameter(`Unexpected key "${unexpected}" on param "${param}".`);
}
