import { IsObject, IsString } from 'class-validator';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';

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
