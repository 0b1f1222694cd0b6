import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { command } from '../message-contract';

/** What credits can be for. */
export const CREDIT_CATEGORIES = ['utility'] as const;
export type CreditCategory = (typeof CREDIT_CATEGORIES)[number];

export class ReserveCreditCommand {
  @IsString() accountId: string;
  /** Chosen by who reserves, and written down before: the same id reserves once, however often it is asked. */
  @IsString() reservationId: string;
  @IsIn(CREDIT_CATEGORIES) category: CreditCategory;
  @IsInt() @Min(1) @Max(1_000_000) amount: number;
  /**
   * How long the credits are kept for who reserved them. One that neither settles nor gives back in this time has lost
   * its memory and them: longer than any outcome takes to be known.
   */
  @IsInt() @Min(1) @Max(86_400) holdSeconds: number;
}

export class ReserveCreditReply {
  /** What is left, without all that is reserved. */
  @IsInt() balance: number;
}

export const reserveCreditV1 = command({
  name: 'gateway.reserve-credit.v1',
  owner: 'gateway',
  askers: ['otp'],
  description: 'Sets credits of an account aside for something that may yet fail; INSUFFICIENT_CREDITS when there are too few.',
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
