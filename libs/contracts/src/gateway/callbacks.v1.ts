import { IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { Nested } from '../body-docs';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';

/** Heartbeat of a gateway that accepts callbacks. Times are those of the gateway's database, in ISO 8601 UTC. */
export class CallbackHeartbeat {
  @IsString() at: string;
  /** Start of the period in which this process has accepted callbacks without interruption. */
  @IsString() since: string;
}

/**
 * Part of the `messages` field of a verified callback, in upstream JSON. Statuses of several callbacks may share one
 * event.
 */
export class UpstreamMessagesReceivedV1 {
  /** ID of the callback; of the first one if several are combined. */
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  @IsObject() value: object;
  /** Number of inbound messages of the callback in earlier parts; defaults to 0. */
  @IsOptional() @IsInt() offset?: number;
  /**
   * Heartbeat, published every few seconds with an empty value. The queue preserves order, so everything published
   * earlier precedes the heartbeat.
   */
  @IsOptional() @IsObject() @Nested(() => CallbackHeartbeat) door?: CallbackHeartbeat;
}

export const upstreamMessagesReceivedV1 = event({
  name: 'upstream.messages.received.v1',
  producer: 'gateway',
  alsoPublishedBy: ['messaging'],
  consumers: ['messaging'],
  prefetch: 300,
  maxBytes: UPDATES_EVENT_BYTES,
  description: 'The upstream platform reported inbound messages or delivery statuses.',
  body: UpstreamMessagesReceivedV1,
  sample: {
    callbackId: 'cb_01jd0000000000000000000000',
    wabaId: '100000000000001',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: '200000000000002' },
      statuses: [{ id: 'wamid.OUT', status: 'sent', timestamp: '1790416830', recipient_id: '919812345678' }],
    },
  },
});

/**
 * Chunk of data shared from a business's phone app, from a verified callback: chat history, import progress, and names
 * of contacts.
 */
export class UpstreamAppDataReceivedV1 {
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  @IsObject() value: object;
}

/** Separate queue, so that live messages and statuses do not wait behind thousands of old messages. */
export const upstreamAppDataReceivedV1 = event({
  name: 'upstream.app-data.received.v1',
  producer: 'gateway',
  alsoPublishedBy: ['messaging'],
  consumers: ['messaging'],
  prefetch: 2,
  maxBytes: UPDATES_EVENT_BYTES,
  description: "The upstream platform sent earlier messages or contacts of a business's phone app.",
  body: UpstreamAppDataReceivedV1,
  sample: {
    callbackId: 'cb_01jd0000000000000000000000',
    wabaId: '100000000000001',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: '200000000000002' },
      history: [
        {
          thread_id: '919812345678',
          from: '919812345678',
          id: 'wamid.OLD',
          timestamp: '1788000000',
          type: 'text',
          text: { body: 'Are you open on Sunday?' },
          history_status: 'READ',
        },
      ],
      history_progress: [{ phase: 1, chunk_order: 3, progress: 55 }],
    },
  },
});

/** Change of an account's numbers, from a verified callback. The value is upstream JSON. */
export class UpstreamNumberChangedV1 {
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  /** Upstream field, for example `phone_number_quality_update` or `account_update`. */
  @IsString() field: string;
  @IsObject() value: object;
  /** Unix time of the change in seconds, if the platform reported it. */
  @IsOptional() @IsInt() time?: number;
}

export const upstreamNumberChangedV1 = event({
  name: 'upstream.number.changed.v1',
  producer: 'gateway',
  consumers: ['messaging'],
  maxBytes: UPDATES_EVENT_BYTES,
  description: 'The upstream platform reported a change to a number or its account. The numbers are read again.',
  body: UpstreamNumberChangedV1,
  sample: {
    callbackId: 'cb_01jd0000000000000000000000',
    wabaId: '100000000000001',
    field: 'phone_number_quality_update',
    value: { display_phone_number: '15550783881', event: 'FLAGGED', current_limit: 'TIER_10K' },
  },
});

/** Template change from a verified callback. The value is upstream JSON. */
export class UpstreamTemplateChangedV1 {
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  /** Upstream field, for example `message_template_status_update`. */
  @IsString() field: string;
  @IsObject() value: object;
}

export const upstreamTemplateChangedV1 = event({
  name: 'upstream.template.changed.v1',
  producer: 'gateway',
  consumers: ['templates'],
  maxBytes: UPDATES_EVENT_BYTES,
  description: 'The upstream platform reported a change to a template. The template is read again.',
  body: UpstreamTemplateChangedV1,
  sample: {
    callbackId: 'cb_01jd0000000000000000000000',
    wabaId: '100000000000001',
    field: 'message_template_status_update',
    value: { event: 'APPROVED', message_template_name: 'order_update', message_template_language: 'en_US' },
  },
});
