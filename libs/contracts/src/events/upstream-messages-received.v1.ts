import { Type } from 'class-transformer';
import { IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';

/** A gateway's word that it takes callbacks; times of its database, ISO 8601 UTC. */
export class DoorBeat {
  @IsString() at: string;
  /** Since when this process takes them without a break. */
  @IsString() since: string;
}

/** One change of field `messages` out of a verified callback, in the upstream's own JSON; statuses of several callbacks may share one. */
export class UpstreamMessagesReceivedV1 {
  /** The first of them when there are several. */
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  @IsObject() value: object;
  /** How many inbound messages of the callback stand before those of this part of it; none when absent. */
  @IsOptional() @IsInt() offset?: number;
  /**
   * Comes alone, with an empty value, every few seconds on the way that callbacks take: what was reported before it is in this
   * queue before it.
   */
  @IsOptional() @IsObject() @ValidateNested() @Type(() => DoorBeat) door?: DoorBeat;
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
