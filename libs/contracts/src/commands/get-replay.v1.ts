import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { WebhookReplayRecord } from './replay-dropped.v1';

export class GetReplayCommand {
  @IsString() accountId: string;
  @IsString() replayId: string;
}

export class GetReplayReply {
  @ValidateNested() @Type(() => WebhookReplayRecord) replay: WebhookReplayRecord;
}

export const getReplayV1 = command({
  name: 'webhooks.get-replay.v1',
  owner: 'webhooks',
  description: 'How far a replay of dropped events has come.',
  request: GetReplayCommand,
  response: GetReplayReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', replayId: 'rpl_01jd0000000000000000000000' },
    response: {
      replay: {
        ...{ id: 'rpl_01jd0000000000000000000000', endpointId: null, total: 120, replayed: 120 },
        ...{ createdAt: '2026-03-02T11:00:00.000Z', finishedAt: '2026-03-02T11:00:03.000Z' },
      },
    },
  },
});
