import { IsString } from 'class-validator';
import { task } from '../message-contract';

/** Published when the delivery failed, in one transaction with the note of it: then a crash can neither lose nor repeat it. */
export class ReturnCreditV1 {
  @IsString() accountId: string;
  /** As in `gateway.reserve-credit.v1`. */
  @IsString() reservationId: string;
}

export const returnCreditV1 = task({
  name: 'gateway.return-credit.v1',
  owner: 'gateway',
  senders: ['otp'],
  description: 'What the credits were spent on did not arrive: they go back to the account. A settlement that comes later changes nothing.',
  body: ReturnCreditV1,
  delaysSeconds: [],
  sample: { accountId: 'acc_01jd0000000000000000000000', reservationId: 'otp_01jd0000000000000000000000' },
});
