import { IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { Nested } from '../body-docs';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';

/** A gateway's word that it takes callbacks; times of its database, ISO 8601 UTC. */
export class CallbackHeartbeat {
  @IsString() at: string;
  /** Since when this process takes them without a break. */
  @IsString() since: string;
}

/**
 * One change of field `messages` out of a verified callback, in the upstream's own JSON; statuses of several callbacks
 * may share one.
 */
export class UpstreamMessagesReceivedV1 {
  /** The first of them when there are several. */
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  @IsObject() value: object;
  /** How many inbound messages of the callback stand before those of this part of it; none when absent. */
  @IsOptional() @IsInt() offset?: number;
  /**
   * Comes alone, with an empty value, every few seconds on the way that callbacks take: what was reported before it is
   * in this queue before it.
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
 * A part of what the business's phone app shares of itself, out of a verified callback: earlier messages, how far they
 * are told, and the names of its contacts.
 */
export class UpstreamAppDataReceivedV1 {
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  @IsObject() value: object;
}

/** Apart from messages and statuses of this moment, which must not wait behind thousands of old ones. */
export const upstreamAppDataReceivedV1 = event({
  name: 'upstream.app-data.received.v1',
  producer: 'gateway',
  alsoPublishedBy: ['messaging'],
  consumers: ['messaging'],
  prefetch: 2,
  maxBytes: UPDATES_EVENT_BYTES,
  description: "The upstream platform told earlier messages or contacts of a business's phone app.",
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

/** One change about an account's numbers out of a verified callback; its value is the upstream's own JSON. */
export class UpstreamNumberChangedV1 {
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  /** The upstream's field, for example `phone_number_quality_update` or `account_update`. */
  @IsString() field: string;
  @IsObject() value: object;
  /** Unix seconds of the change, where the platform gave them. */
  @IsOptional() @IsInt() time?: number;
}

export const upstreamNumberChangedV1 = event({
  name: 'upstream.number.changed.v1',
  producer: 'gateway',
  consumers: ['messaging'],
  maxBytes: UPDATES_EVENT_BYTES,
  description: 'The upstream platform reported a change of a number or of its account; the numbers are read again.',
  body: UpstreamNumberChangedV1,
  sample: {
    callbackId: 'cb_01jd0000000000000000000000',
    wabaId: '100000000000001',
    field: 'phone_number_quality_update',
    value: { display_phone_number: '15550783881', event: 'FLAGGED', current_limit: 'TIER_10K' },
  },
});

/** One template change out of a verified callback; its value is the upstream's own JSON. */
export class UpstreamTemplateChangedV1 {
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  /** The upstream's field, for example `message_template_status_update`. */
  @IsString() field: string;
  @IsObject() value: object;
}

export const upstreamTemplateChangedV1 = event({
  name: 'upstream.template.changed.v1',
  producer: 'gateway',
  consumers: ['templates'],
  maxBytes: UPDATES_EVENT_BYTES,
  description: 'The upstream platform reported a change of a template; the template is read again.',
  body: UpstreamTemplateChangedV1,
  sample: {
    callbackId: 'cb_01jd0000000000000000000000',
    wabaId: '100000000000001',
    field: 'message_template_status_update',
    value: { event: 'APPROVED', message_template_name: 'order_update', message_template_language: 'en_US' },
  },
});
