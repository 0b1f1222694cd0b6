import { IsISO8601, IsString } from 'class-validator';
import { event } from '../message-contract';

export class NumberStoppedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  /** The upstream platform's code and what it means. */
  @IsString() reason: string;
  @IsISO8601() timestamp: string;
}

export const numberStoppedV1 = event({
  name: 'messaging.number.stopped.v1',
  producer: 'messaging',
  consumers: ['gateway'],
  description: 'Nothing is sent from a business number any more, because the upstream platform would refuse it: the operator and the account should know.',
  body: NumberStoppedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    numberId: 'num_01jd0000000000000000000000',
    phoneNumber: '15550783881',
    reason: '190 Access token expired or invalid',
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});
