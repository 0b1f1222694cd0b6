import { IsOptional, IsString } from 'class-validator';
import { event } from '../message-contract';

export class NumberQualityChangedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  /** GREEN, YELLOW, RED, NA or UNKNOWN. */
  @IsString() qualityRating: string;
  /** Null where none was known before. */
  @IsOptional() @IsString() previousQualityRating: string | null;
  /** For example TIER_10K. */
  @IsOptional() @IsString() messagingLimit: string | null;
  /** When the change was seen, ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const numberQualityChangedV1 = event({
  name: 'messaging.number-quality.changed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  description: 'The upstream platform rates a business number differently than before; published once per change.',
  body: NumberQualityChangedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    numberId: 'num_01jd0000000000000000000000',
    phoneNumber: '15550783881',
    qualityRating: 'YELLOW',
    previousQualityRating: 'GREEN',
    messagingLimit: 'TIER_10K',
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});
