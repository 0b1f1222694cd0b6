import { IsString } from 'class-validator';
import { task } from '../message-contract';

/** Published with the outcome itself, in one transaction: then a crash can neither lose nor repeat it. */
export class SettleCreditV1 {
  @IsString() accountId: string;
  /** As in `gateway.reserve-credit.v1`. */
  @IsString() reservationId: string;
}

export const settleCreditV1 = task({
  name: 'gateway.settle-credit.v1',
  owner: 'gateway',
  senders: ['otp'],
  description: 'What the credits were reserved for was done: they are spent.',
  body: SettleCreditV1,
  delaysSeconds: [],
  sample: { accountId: 'acc_01jd0000000000000000000000', reservationId: 'otp_01jd0000000000000000000000' },
});
