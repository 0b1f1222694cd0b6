import { IsString } from 'class-validator';
import { event } from '../message-contract';

export class NumberAddedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  @IsString() wabaId: string;
  /** Encrypted with ENCRYPTION_KEY: never in clear on the broker. */
  @IsString() sealedAccessToken: string;
}

export const numberAddedV1 = event({
  name: 'messaging.number.added.v1',
  producer: 'messaging',
  consumers: ['templates'],
  broadcastTo: ['messaging'],
  description: 'An account got a business number, or new credentials for it.',
  body: NumberAddedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    numberId: 'num_01jd0000000000000000000000',
    phoneNumber: '15550783881',
    wabaId: '100000000000001',
    sealedAccessToken: 'v1.c2VhbGVk',
  },
});
