import { IsString } from 'class-validator';
import { event } from '../message-contract';

export class TemplateContentChangedV1 {
  @IsString() accountId: string;
  @IsString() templateName: string;
}

export const templateContentChangedV1 = event({
  name: 'templates.template-content.changed.v1',
  producer: 'templates',
  consumers: [],
  broadcastTo: ['messaging', 'otp'],
  description: 'The text or the category of a template changed while its status did not: copies of it are out of date.',
  body: TemplateContentChangedV1,
  sample: { accountId: 'acc_01jd0000000000000000000000', templateName: 'order_update' },
});
