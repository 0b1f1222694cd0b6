import type { UpstreamInboundMessage } from '@switchboard/upstream';
import { type CallbackUpdate, valueFor } from '../callbacks/callback-body';
import { unixSeconds, userIdOf } from '../callbacks/statuses';
import { isObject, type JsonObject } from '../json';
import { newWamid } from '../messages/wamid';
import type { BusinessNumber } from '../numbers/number-store';

const PHONE = /^[1-9]\d{7,14}$/;
const MEDIA: Record<string, JsonObject> = {
  image: { mime_type: 'image/jpeg' },
  document: { mime_type: 'application/pdf', filename: 'document.pdf' },
  video: { mime_type: 'video/mp4' },
  audio: { mime_type: 'audio/ogg; codecs=opus', voice: true },
  sticker: { mime_type: 'image/webp', animated: false },
};
const MEDIA_HASH = 'SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=';

export interface Inbound {
  waId: string;
  name: string;
  message: UpstreamInboundMessage;
}

/** A message that a customer writes in, or why there is none. */
export function toInbound(given: JsonObject): Inbound | string {
  const waId = String(given.from ?? '').replace(/^\+/, '');
  if (!PHONE.test(waId)) return 'from: 8 to 15 digits are required';
  const type = given.type ?? 'text';
  if (typeof type !== 'string' || !/^[a-z_]{1,30}$/.test(type)) return 'type: the name of a message type is required';
  const content = contentOf(type, given[type]);
  if (typeof content === 'string') return content;
  const name = typeof given.name === 'string' && given.name ? given.name : 'Test Customer';
  const message: UpstreamInboundMessage = {
    ...(isObject(given.context) && { context: given.context }),
    from: waId,
    from_user_id: userIdOf(waId),
    id: newWamid(waId, 'inbound'),
    timestamp: unixSeconds(),
    type,
    ...(content !== undefined && { [type]: content }),
  };
  return { waId, name, message };
}

/** The callback that carries it. */
export function inboundUpdate(number: BusinessNumber, { waId, name, message }: Inbound): CallbackUpdate {
  const contacts = [{ profile: { name }, wa_id: waId, user_id: userIdOf(waId) }];
  return { kind: 'change', wabaId: number.wabaId, field: 'messages', value: { ...valueFor(number), contacts, messages: [message] } };
}

function contentOf(type: string, given: unknown): JsonObject | unknown[] | string | undefined {
  if (type === 'text') {
    const body = isObject(given) ? given.body : given;
    return typeof body === 'string' && body !== '' && body.length <= 4_096 ? { body } : 'text: 1 to 4096 characters are required';
  }
  const media = MEDIA[type];
  if (media) return { ...media, sha256: MEDIA_HASH, id: String(Date.now()), ...(isObject(given) && given) };
  if (isObject(given) || Array.isArray(given)) return given;
  return type === 'unsupported' ? undefined : `${type}: an object is required`;
}
