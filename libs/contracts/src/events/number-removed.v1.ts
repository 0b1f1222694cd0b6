import { IsString } from 'class-validator';
import { event } from '../message-contract';

export class NumberRemovedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  /** The upstream's identifier of the number. */
  @IsString() phoneNumberId: string;
}

export const numberRemovedV1 = event({
  name: 'messaging.number.removed.v1',
  producer: 'messaging',
  consumers: [],
  broadcastTo: ['messaging'],
  description: 'An account has a business number no more: every process forgets whose it was.',
  body: NumberRemovedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    numberId: 'num_01jd0000000000000000000000',
    phoneNumber: '15550783881',
    phoneNumberId: '200000000000002',
  },
});
