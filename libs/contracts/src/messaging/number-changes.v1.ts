import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf, OrNull } from '../body-docs';
import { PAGE_ITEMS_MAX } from '../lists';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';

/** State of a business number from a point in time on. */
@BodySchema({ name: 'NumberChange' })
export class NumberChange {
  @IsString() id: string;
  @IsTime() at: string;
  @Doc('Quality rating: GREEN, YELLOW, RED, NA or UNKNOWN. Null if the platform has not reported one')
  @OrNull()
  @IsString()
  qualityRating: string | null;
  @Doc('Messaging limit, such as TIER_10K: maximum contacts with whom the business can start conversations in 24 hours')
  @OrNull()
  @IsString()
  messagingLimit: string | null;
  @Doc('Throughput level: STANDARD or HIGH') @OrNull() @IsString() throughput: string | null;
  @Doc('Status of the number at the platform, or `STOPPED` while sending is stopped') @IsString() status: string;
  @OrNull() @IsString() stoppedReason: string | null;
}

export class ListNumberChangesCommand {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsInt() @Min(1) @Max(PAGE_ITEMS_MAX) limit: number;
  /** `nextCursor` from the previous page. */
  @IsOptional() @IsString() cursor?: string;
}

export class ListNumberChangesReply {
  @ListOf(() => NumberChange) changes: NumberChange[];
  @IsOptional() @IsString() nextCursor: string | null;
}

export const listNumberChangesV1 = command({
  name: 'messaging.list-number-changes.v1',
  owner: 'messaging',
  description: "Returns the history of a business number's quality, limit, throughput and status, newest change first.",
  request: ListNumberChangesCommand,
  response: ListNumberChangesReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      numberId: 'num_01jd0000000000000000000000',
      limit: 20,
    },
    response: {
      changes: [
        {
          id: '7',
          at: '2026-03-02T10:15:04.120Z',
          qualityRating: 'YELLOW',
          messagingLimit: 'TIER_10K',
          throughput: 'STANDARD',
          status: 'CONNECTED',
          stoppedReason: null,
        },
      ],
      nextCursor: null,
    },
  },
});
