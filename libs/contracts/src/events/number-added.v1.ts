import { IsOptional, IsString } from 'class-validator';
import { event } from '../message-contract';

export class NumberAddedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  @IsString() wabaId: string;
  /** Encrypted with ENCRYPTION_KEY: never in clear on the broker. */
  @IsString() sealedAccessToken: string;
  /** When the credentials were stored, to the microsecond: of two that come out of order the later ones count. */
  @IsOptional() @IsString() storedAt?: string;
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
    storedAt: '2026-03-02T10:15:04.120381+00:00',
  },
});
