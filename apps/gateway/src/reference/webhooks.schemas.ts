import { INBOUND_TYPES, REPORTED_STATUSES } from '@switchboard/contracts';
import { anyObject, flag, list, object, oneOfTexts, orNull, phone, ref, type Schema, text, time } from './schema';

const eventId = text('The same on every attempt: what was seen before can be left out', { example: 'evt_01jd0000000000000000000000' });
const kind = (event: string): Schema => text(undefined, { const: event });
const fetched = object(
  { id: text(), link: text('Fetched with the API key'), mimeType: text(), sha256: text(), caption: text(), filename: text() },
  { optional: ['id', 'link', 'mimeType', 'sha256', 'caption', 'filename'] },
);
const contents: Record<string, Schema> = {
  text: object({ body: text() }),
  ...Object.fromEntries(['image', 'video', 'audio', 'document', 'sticker'].map((type) => [type, fetched])),
  ...Object.fromEntries(['location', 'button', 'interactive', 'reaction', 'order'].map((type) => [type, anyObject])),
  contacts: list(anyObject),
  context: object(
    { messageId: text(), from: text(), forwarded: flag, frequentlyForwarded: flag, referredProduct: anyObject },
    { optional: ['messageId', 'from', 'forwarded', 'frequentlyForwarded', 'referredProduct'], description: 'The message that is answered, or how this one was forwarded' },
  ),
  referral: anyObject,
  userId: text("The platform's id of the sender, where it gave one"),
};

/** The bodies of the four events (spec 6.3, decisions 9), by the name that stands in their `event`. */
export const webhookSchemas = {
  MessageEvent: object(
    { event: kind('message'), from: text("The sender's number, or a user id where the number is hidden"), name: orNull(text()), messageId: text(), type: oneOfTexts([...INBOUND_TYPES, 'unsupported']), ...contents, timestamp: time, to: text(), eventId },
    {
      optional: Object.keys(contents),
      example: {
        ...{ event: 'message', from: '919812345678', name: 'Asha R', messageId: 'wamid.HBg', type: 'text', text: { body: 'Where is my order?' } },
        ...{ timestamp: '2026-03-02T10:16:00.000Z', to: '15550783881', eventId: 'evt_01jd0000000000000000000000' },
      },
    },
  ),
  MessageStatusEvent: object(
    {
      ...{ event: kind('message_status'), messageId: text('The message_id of the send'), to: text(), status: oneOfTexts(REPORTED_STATUSES), timestamp: time },
      ...{ error: orNull(ref('MessageError')), jobId: orNull(text()), clientRef: orNull(text()) },
      late: { ...flag, const: true, description: 'A later status had overtaken this one; absent otherwise' },
      eventId,
    },
    {
      optional: ['late'],
      example: {
        ...{ event: 'message_status', messageId: 'wamid.HBg', to: '919812345678', status: 'failed', timestamp: '2026-03-02T10:15:04.120Z' },
        error: { code: 131047, title: 'Re-engagement message', message: 'the 24-hour window is closed', category: 'window', retriable: false },
        ...{ jobId: null, clientRef: 'order-7781', eventId: 'evt_01jd0000000000000000000000' },
      },
    },
  ),
  TemplateStatusEvent: object(
    {
      ...{ event: kind('template_status'), templateName: text(), templateId: text(), status: oneOfTexts(['APPROVED', 'PENDING', 'REJECTED', 'FLAGGED', 'DISABLED']), timestamp: time },
      ...{ language: text(), category: orNull(text()), previousStatus: orNull(text()), reason: orNull(text()),
      sendable: { ...flag, description: 'Whether the template can be sent. `FLAGGED` with true is a warning of the upstream platform' }, eventId },
    },
    {
      example: {
        ...{ event: 'template_status', templateName: 'order_update', templateId: '1407', status: 'REJECTED', timestamp: '2026-03-02T10:15:04.120Z' },
        ...{ language: 'en_US', category: 'UTILITY', previousStatus: 'PENDING', reason: 'INVALID_FORMAT', sendable: false, eventId: 'evt_01jd0000000000000000000000' },
      },
    },
  ),
  PhoneNumberQualityEvent: object(
    {
      ...{ event: kind('phone_number_quality'), phoneNumber: phone, qualityRating: oneOfTexts(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']), previousQualityRating: orNull(text()) },
      ...{ messagingLimit: orNull(text()), timestamp: time, eventId },
    },
    {
      example: {
        ...{ event: 'phone_number_quality', phoneNumber: '15550783881', qualityRating: 'YELLOW', previousQualityRating: 'GREEN', messagingLimit: 'TIER_10K' },
        ...{ timestamp: '2026-03-02T10:15:04.120Z', eventId: 'evt_01jd0000000000000000000000' },
      },
    },
  ),
} satisfies Record<string, Schema>;
