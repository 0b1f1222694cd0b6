import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { command, task } from '../message-contract';

export const CREDIT_CATEGORIES = ['utility'] as const;
export type CreditCategory = (typeof CREDIT_CATEGORIES)[number];

export class ReserveCreditCommand {
  @IsString() accountId: string;
  /** Idempotency key, chosen and stored by the caller before the call. Requests with the same id reserve once. */
  @IsString() reservationId: string;
  @IsIn(CREDIT_CATEGORIES) category: CreditCategory;
  @IsInt() @Min(1) @Max(1_000_000) amount: number;
  /**
   * Duration of the reservation in seconds. Must exceed the time until every outcome is known: a reservation that is
   * neither settled nor refunded by then expires, and its credits return to the account.
   */
  @IsInt() @Min(1) @Max(86_400) holdSeconds: number;
}

export class ReserveCreditReply {
  /** Balance, excluding reserved credits. */
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

/** Published in the same transaction as the outcome, so that a crash neither loses nor repeats it. */
export class SettleCreditV1 {
  @IsString() accountId: string;
  /** Reservation id, as in `gateway.reserve-credit.v1`. */
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

/** Published in the same transaction as the outcome, so that a crash neither loses nor repeats it. */
export class RefundCreditV1 {
  @IsString() accountId: string;
  /** Reservation id, as in `gateway.reserve-credit.v1`. */
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
 * Published in the same transaction as the record of the failed delivery, so that a crash neither loses nor repeats it.
 */
export class ReturnCreditV1 {
  @IsString() accountId: string;
  /** Reservation id, as in `gateway.reserve-credit.v1`. */
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
