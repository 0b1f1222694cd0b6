import { IsObject, IsString } from 'class-validator';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';

/** One change about an account's numbers out of a verified callback; its value is the upstream's own JSON. */
export class UpstreamNumberChangedV1 {
  @IsString() callbackId: string;
  @IsString() wabaId: string;
  /** The upstream's field, for example `phone_number_quality_update` or `account_update`. */
  @IsString() field: string;
  @IsObject() value: object;
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
