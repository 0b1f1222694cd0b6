import { IsString } from 'class-validator';
import { task } from '../message-contract';

/** Published with the outcome itself, in one transaction: then a crash can neither lose nor repeat it. */
export class RefundCreditV1 {
  @IsString() accountId: string;
  /** As in `gateway.reserve-credit.v1`. */
  @IsString() reservationId: string;
}

export const refundCreditV1 = task({
  name: 'gateway.refund-credit.v1',
  owner: 'gateway',
  senders: ['otp'],
  description: 'What the credits were reserved for was not done: they go back to the account.',
  body: RefundCreditV1,
  delaysSeconds: [],
  sample: { accountId: 'acc_01jd0000000000000000000000', reservationId: 'otp_01jd0000000000000000000000' },
});
