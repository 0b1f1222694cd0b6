import { IsObject, IsString } from 'class-validator';
import { event } from '../message-contract';

/** One change of field `messages` out of a verified callback; its value is the upstream's own JSON. */
export class UpstreamMessagesReceivedV1 {
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  @IsObject() value: object;
}

export const upstreamMessagesReceivedV1 = event({
  name: 'upstream.messages.received.v1',
  producer: 'gateway',
  consumers: ['messaging'],
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
