import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { command, task } from '../message-contract';

/** Purposes of credits. */
export const CREDIT_CATEGORIES = ['utility'] as const;
export type CreditCategory = (typeof CREDIT_CATEGORIES)[number];

export class ReserveCreditCommand {
  @IsString() accountId: string;
  /** Chosen and stored by the caller beforehand; requests with the same id reserve only once. */
  @IsString() reservationId: string;
  @IsIn(CREDIT_CATEGORIES) category: CreditCategory;
  @IsInt() @Min(1) @Max(1_000_000) amount: number;
  /**
   * Duration of the reservation in seconds, longer than any outcome takes to be known. If it is neither settled nor
   * refunded by then, its caller has lost it, and the credits go back to the account.
   */
  @IsInt() @Min(1) @Max(86_400) holdSeconds: number;
}

export class ReserveCreditReply {
  /** Balance without reserved credits. */
  @IsInt() balance: number;
}

export const reserveCreditV1 = command({
  name: 'gateway.reserve-credit.v1',
  owner: 'gateway',
  callers: ['otp'],
  description:
    'Reserves credits of an account for an operation that may still fail. INSUFFICIENT_CREDITS if the balance is too low.',
  request: ReserveCreditCommand,
  response: ReserveCreditReply,
  changes: true,
  timeoutMs: 3_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      reservationId: 'otp_01jd0000000000000000000000',
      category: 'utility' as const,
      amount: 1,
      holdSeconds: 3_600,
    },
    response: { balance: 939 },
  },
});

/** Published in one transaction with the outcome, so that a crash can neither lose nor repeat it. */
export class SettleCreditV1 {
  @IsString() accountId: string;
  /** As in `gateway.reserve-credit.v1`. */
  @IsString() reservationId: string;
}

export const settleCreditV1 = task({
  name: 'gateway.settle-credit.v1',
  owner: 'gateway',
  senders: ['otp'],
  description: 'Settles a reservation: the operation was carried out and the credits are spent.',
  body: SettleCreditV1,
  delaysSeconds: [],
  sample: { accountId: 'acc_01jd0000000000000000000000', reservationId: 'otp_01jd0000000000000000000000' },
});

/** Published in one transaction with the outcome, so that a crash can neither lose nor repeat it. */
export class RefundCreditV1 {
  @IsString() accountId: string;
  /** As in `gateway.reserve-credit.v1`. */
  @IsString() reservationId: string;
}

export const refundCreditV1 = task({
  name: 'gateway.refund-credit.v1',
  owner: 'gateway',
  senders: ['otp'],
  description: 'Cancels a reservation: the operation was not carried out and the credits return to the account.',
  body: RefundCreditV1,
  delaysSeconds: [],
  sample: { accountId: 'acc_01jd0000000000000000000000', reservationId: 'otp_01jd0000000000000000000000' },
});

/**
 * Published in one transaction with the record of a failed delivery, so that a crash can neither lose nor repeat it.
 */
export class ReturnCreditV1 {
  @IsString() accountId: string;
  /** As in `gateway.reserve-credit.v1`. */
  @IsString() reservationId: string;
}

export const returnCreditV1 = task({
  name: 'gateway.return-credit.v1',
  owner: 'gateway',
  senders: ['otp'],
  description: 'Refunds spent credits because the delivery failed. A later settlement has no effect.',
  body: ReturnCreditV1,
  delaysSeconds: [],
  sample: { accountId: 'acc_01jd0000000000000000000000', reservationId: 'otp_01jd0000000000000000000000' },
});
