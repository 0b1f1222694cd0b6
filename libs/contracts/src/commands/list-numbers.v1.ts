import { Type } from 'class-transformer';
import { IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';

export class ListNumbersCommand {
  @IsString() accountId: string;
}

/** One of the account's business numbers as `/me` shows it (spec §7.6). */
export class NumberRecord {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  @IsOptional() @IsString() qualityRating: string | null;
  @IsOptional() @IsString() messagingLimit: string | null;
  /** The upstream's own status, or STOPPED while nothing is sent from it. */
  @IsString() status: string;
  /** What stopped it: the upstream's code and words. */
  @IsOptional() @IsString() stoppedReason?: string | null;
}

export class ListNumbersReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => NumberRecord) numbers: NumberRecord[];
}

export const listNumbersV1 = command({
  name: 'messaging.list-numbers.v1',
  owner: 'messaging',
  description: "The account's business numbers, the primary one first.",
  request: ListNumbersCommand,
  response: ListNumbersReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000' },
    response: {
      numbers: [
        {
          id: 'num_01jd0000000000000000000000',
          phoneNumber: '15550783881',
          qualityRating: 'GREEN',
          messagingLimit: 'TIER_10K',
          status: 'CONNECTED',
        },
      ],
    },
  },
});
