import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { BodySchema, Doc, ListOf, Nested, OrNull } from '../body-docs';
import { command, PART_BYTES } from '../message-contract';
import { IsRecipient } from '../validation';
import { JOB_NUMBERS_MAX } from './job-messages.v1';
import { SpendCapRecord } from './spend-caps.v1';

/** Maximum number of recipients in one `EstimateSendsCommand`. */
export const ESTIMATED_SENDS_MAX = 1_000;

/** Reasons why a message is free, in the terms of the upstream platform. */
export const FREE_REASONS = ['free_customer_service', 'free_entry_point'] as const;
export type FreeReason = (typeof FREE_REASONS)[number];

/** Reasons why a send to a recipient would be rejected. */
export const REJECTION_REASONS = ['opted_out', 'blocked', 'window_closed', 'rate_unknown'] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

export class EstimateSendsCommand {
  @IsString() accountId: string;
  /** Business number that sends the messages. */
  @IsString() from: string;
  /** All business numbers of a job that has several, of which any may send to a recipient. */
  @IsOptional() @IsArray() @ArrayMaxSize(JOB_NUMBERS_MAX) @IsString({ each: true }) numbers?: string[];
  /** True if the job has a spend cap, so that messages without a rate are rejected. */
  @IsOptional() @IsBoolean() isCapped?: boolean;
  /** Template category in upper case, such as MARKETING; absent for other messages. */
  @IsOptional() @IsString() category?: string;
  /** Time of the sends in ISO 8601. */
  @IsISO8601() at: string;
  /** Phone numbers and user ids. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(ESTIMATED_SENDS_MAX)
  @IsRecipient({ each: true })
  recipients: string[];
}

/** Messages with the same category, market and price. */
export class EstimatedGroup {
  /** Pricing category of the upstream platform. */
  @IsString() category: string;
  @IsString() market: string;
  @IsInt() messages: number;
  /** Lowest and highest price of one message; null without a rate. */
  @OrNull() @IsString() lowest: string | null;
  @OrNull() @IsString() highest: string | null;
  /** Amount that one message reserves if a spend cap applies; null without a rate. */
  @OrNull() @IsString() reserved?: string | null;
  /** Reason why the messages are free; null if the platform charges for them. */
  @OrNull() @IsIn(FREE_REASONS) free: FreeReason | null;
}

/** Recipient to whom a send would be rejected. */
export class EstimatedRejection {
  /** Zero-based position in the given list. */
  @IsInt() @Min(0) @Max(ESTIMATED_SENDS_MAX - 1) index: number;
  @IsIn(REJECTION_REASONS) reason: RejectionReason;
  /** Error code of the send. */
  @IsString() code: string;
}

export class EstimateSendsReply {
  /** Currency of the rate card; null without a rate card. */
  @OrNull() @IsString() currency: string | null;
  @ListOf(() => EstimatedGroup) groups: EstimatedGroup[];
  @ListOf(() => EstimatedRejection) rejections: EstimatedRejection[];
  /** Number of messages outside a service window, which count towards the messaging limit. */
  @IsInt() initiated: number;
}

export const estimateSendsV1 = command({
  name: 'messaging.estimate-sends.v1',
  owner: 'messaging',
  callers: ['jobs'],
  description:
    'Returns the expected prices and rejections of one message to many recipients. Considers the rate card, opt-outs, blocks and service windows. Changes nothing.',
  request: EstimateSendsCommand,
  response: EstimateSendsReply,
  changes: false,
  timeoutMs: 10_000,
  maxBytes: PART_BYTES,
  prefetch: 4,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      from: '15550783881',
      category: 'UTILITY',
      at: '2026-11-28T10:15:00.000Z',
      recipients: ['919812345678', '919812345679'],
    },
    response: {
      currency: 'USD',
      groups: [
        {
          category: 'utility',
          market: 'India',
          messages: 1,
          lowest: '0.0014',
          highest: '0.0014',
          reserved: '0.0014' as string | null,
          free: null as FreeReason | null,
        },
      ],
      rejections: [{ index: 1, reason: 'blocked' as RejectionReason, code: 'RECIPIENT_BLOCKED' }],
      initiated: 1,
    },
  },
});

/** Sending limits of a business number. */
@BodySchema({
  name: 'SendingCapacity',
  example: () => ({
    phoneNumber: '15550783881',
    throughput: 80,
    messagingLimit: 10_000,
    remaining: 9_880,
    portfolio: '300000000000001',
  }),
})
export class SendingCapacity {
  @IsString() phoneNumber: string;
  @Doc('Messages per second that the platform accepts from the number') @IsInt() throughput: number;
  @Doc('Contacts that the business may message per 24 hours outside service windows; null if unknown or unlimited')
  @OrNull()
  @IsInt()
  messagingLimit: number | null;
  @Doc('Unused part of `messagingLimit`, counting only messages of this service; null if unknown')
  @OrNull()
  @IsInt()
  remaining: number | null;
  @Doc(
    'Business portfolio of the number, or its business account while the portfolio is unknown. Numbers of a portfolio share `messagingLimit` and `remaining`',
  )
  @OrNull()
  @IsString()
  portfolio?: string | null;
}

/** Maximum number of business numbers in one `GetSendingCapacityCommand`. */
export const CAPACITY_NUMBERS_MAX = 100;

export class GetSendingCapacityCommand {
  @IsString() accountId: string;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(CAPACITY_NUMBERS_MAX) @IsString({ each: true }) numbers: string[];
  /** Time of the sends in ISO 8601. */
  @IsISO8601() at: string;
  /** True for `remaining` null and no `spendCap`. Counting `remaining` reads the contacts of the last 24 hours. */
  @IsOptional() @IsBoolean() skipsRemaining?: boolean;
}

export class GetSendingCapacityReply {
  /** In the order of the request, without unknown numbers. */
  @ListOf(() => SendingCapacity) numbers: SendingCapacity[];
  /** Lower and upper bound of the free service messages that the given numbers have left this month. */
  @IsInt() freeServiceLeast: number;
  @IsInt() freeServiceMost: number;
  /** False before the platform charges for service messages. */
  @IsBoolean() chargesService: boolean;
  /** Spend cap of the account in the month of the sends; null without one. Absent if `skipsRemaining`. */
  @IsOptional() @OrNull() @IsObject() @Nested(() => SpendCapRecord) spendCap?: SpendCapRecord | null;
}

export const getSendingCapacityV1 = command({
  name: 'messaging.get-sending-capacity.v1',
  owner: 'messaging',
  callers: ['jobs', 'gateway'],
  description:
    'Returns the throughput, the remaining messaging limits and the remaining free service messages of business numbers.',
  request: GetSendingCapacityCommand,
  response: GetSendingCapacityReply,
  changes: false,
  timeoutMs: 10_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      numbers: ['15550783881'],
      at: '2026-11-28T10:15:00.000Z',
    },
    response: {
      numbers: [
        {
          phoneNumber: '15550783881',
          throughput: 80,
          messagingLimit: 10_000,
          remaining: 9_880,
          portfolio: '300000000000001',
        },
      ],
      freeServiceLeast: 1_000,
      freeServiceMost: 1_000,
      chargesService: true,
    },
  },
});
