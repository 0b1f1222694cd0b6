import { INBOUND_TYPES, PAUSE_REASONS, REPORTED_STATUSES } from '@switchboard/contracts';
import {
  anyObject,
  flag,
  list,
  object,
  oneOfTexts,
  orNull,
  phone,
  ref,
  type Schema,
  text,
  time,
} from '../../openapi/schema';

const eventId = text('The same on every attempt: what was seen before can be left out', {
  example: 'evt_01jd0000000000000000000000',
});
const [JOB, EVENT, AT] = [
  'job_01jd0000000000000000000000',
  'evt_01jd0000000000000000000000',
  '2026-03-02T10:15:04.120Z',
];
const jobId = text('As the bulk call answered it', { example: JOB });
const count: Schema = { type: 'integer', minimum: 0 };
const failedSoFar: Schema = { ...count, description: 'So far: a message that was sent may still fail' };
const id = text('Ours: names the message in every event of it', { example: 'msg_01jd0000000000000000000000' });
const kind = (event: string): Schema => text(undefined, { const: event });
const fetched = object(
  {
    id: text(),
    link: text('Fetched with the API key'),
    mimeType: text(),
    sha256: text(),
    caption: text(),
    filename: text(),
  },
  { optional: ['id', 'link', 'mimeType', 'sha256', 'caption', 'filename'] },
);
const contents: Record<string, Schema> = {
  text: object({ body: text() }),
  ...Object.fromEntries(['image', 'video', 'audio', 'document', 'sticker'].map((type) => [type, fetched])),
  ...Object.fromEntries(['location', 'button', 'interactive', 'reaction', 'order'].map((type) => [type, anyObject])),
  contacts: list(anyObject),
  context: object(
    { messageId: text(), from: text(), forwarded: flag, frequentlyForwarded: flag, referredProduct: anyObject },
    {
      optional: ['messageId', 'from', 'forwarded', 'frequentlyForwarded', 'referredProduct'],
      description: 'The message that is answered, or how this one was forwarded',
    },
  ),
  referral: anyObject,
};

/** The bodies of the events (spec §11.3), by the name that stands in their `event`. */
export const webhookSchemas = {
  MessageEvent: object(
    {
      ...{
        event: kind('message'),
        from: orNull(text("The sender's phone number; null for a person who hides it")),
        name: text("The sender's profile name, empty when unknown"),
      },
      ...{
        messageId: text("The upstream platform's identifier"),
        type: oneOfTexts([...INBOUND_TYPES, 'unsupported']),
        ...contents,
        timestamp: time,
        to: text(),
      },
      ...{
        id,
        userId: orNull(text("The upstream platform's id of the sender, where it gave one; never null when from is")),
        eventId,
      },
    },
    {
      optional: Object.keys(contents),
      example: {
        ...{
          event: 'message',
          from: '919812345678',
          name: 'Asha R',
          messageId: 'wamid.HBg',
          type: 'text',
          text: { body: 'Where is my order?' },
        },
        ...{
          timestamp: '2026-03-02T10:16:00.000Z',
          to: '15550783881',
          id: 'msg_01jd0000000000000000000000',
          userId: null,
          eventId: 'evt_01jd0000000000000000000000',
        },
      },
    },
  ),
  MessageStatusEvent: object(
    {
      ...{
        event: kind('message_status'),
        messageId: orNull(text('The message_id of the send; null where the send returned none')),
        to: text(),
        status: oneOfTexts(REPORTED_STATUSES),
        timestamp: time,
      },
      ...{ error: orNull(ref('MessageError')), jobId: orNull(text()), clientRef: orNull(text()), id },
      late: { ...flag, const: true, description: 'A later status had overtaken this one; absent otherwise' },
      eventId,
    },
    {
      optional: ['late'],
      example: {
        ...{
          event: 'message_status',
          messageId: 'wamid.HBg',
          to: '919812345678',
          status: 'failed',
          timestamp: '2026-03-02T10:15:04.120Z',
        },
        error: {
          reason: 'WINDOW_CLOSED',
          code: 131047,
          title: 'Re-engagement message',
          message: 'the 24-hour window is closed',
          category: 'window',
          retriable: false,
        },
        ...{
          jobId: null,
          clientRef: 'order-7781',
          id: 'msg_01jd0000000000000000000000',
          eventId: 'evt_01jd0000000000000000000000',
        },
      },
    },
  ),
  TemplateStatusEvent: object(
    {
      ...{
        event: kind('template_status'),
        templateName: text(),
        templateId: text(),
        status: oneOfTexts(['APPROVED', 'PENDING', 'REJECTED', 'FLAGGED', 'DISABLED']),
        timestamp: time,
      },
      ...{
        language: text(),
        category: orNull(text()),
        previousStatus: orNull(text()),
        reason: orNull(text()),
        sendable: {
          ...flag,
          description: 'Whether the template can be sent. `FLAGGED` with true is a warning of the upstream platform',
        },
        eventId,
      },
    },
    {
      example: {
        ...{
          event: 'template_status',
          templateName: 'order_update',
          templateId: '1407',
          status: 'REJECTED',
          timestamp: '2026-03-02T10:15:04.120Z',
        },
        ...{
          language: 'en_US',
          category: 'UTILITY',
          previousStatus: 'PENDING',
          reason: 'INVALID_FORMAT',
          sendable: false,
          eventId: 'evt_01jd0000000000000000000000',
        },
      },
    },
  ),
  PhoneNumberQualityEvent: object(
    {
      ...{
        event: kind('phone_number_quality'),
        phoneNumber: phone,
        qualityRating: oneOfTexts(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']),
        previousQualityRating: orNull(text()),
      },
      ...{ messagingLimit: orNull(text()), timestamp: time, eventId },
    },
    {
      example: {
        ...{
          event: 'phone_number_quality',
          phoneNumber: '15550783881',
          qualityRating: 'YELLOW',
          previousQualityRating: 'GREEN',
          messagingLimit: 'TIER_10K',
        },
        ...{ timestamp: '2026-03-02T10:15:04.120Z', eventId: 'evt_01jd0000000000000000000000' },
      },
    },
  ),
  JobCompletedEvent: object(
    {
      event: kind('job_completed'),
      jobId,
      timestamp: { ...time, description: "The job's `completedAt`" },
      total: count,
      failed: failedSoFar,
      eventId,
    },
    { example: { event: 'job_completed', jobId: JOB, timestamp: AT, total: 50_000, failed: 12, eventId: EVENT } },
  ),
  JobPausedEvent: object(
    { event: kind('job_paused'), jobId, timestamp: time, pauseReason: oneOfTexts(PAUSE_REASONS), eventId },
    {
      example: { event: 'job_paused', jobId: JOB, timestamp: AT, pauseReason: 'TEMPLATE_NOT_APPROVED', eventId: EVENT },
    },
  ),
  JobFailedEvent: object(
    {
      ...{
        event: kind('job_failed'),
        jobId,
        timestamp: { ...time, description: "The job's `completedAt`" },
        total: count,
        failed: count,
      },
      ...{
        error: orNull(object({ code: text(), message: text() }, { description: 'Why the job itself could not run' })),
        eventId,
      },
    },
    {
      example: {
        event: 'job_failed',
        jobId: JOB,
        timestamp: AT,
        total: 3,
        failed: 3,
        error: { code: 'INVALID_VALUE', message: 'the account has no such number' },
        eventId: EVENT,
      },
    },
  ),
} satisfies Record<string, Schema>;
