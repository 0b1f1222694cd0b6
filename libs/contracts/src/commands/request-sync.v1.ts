import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { templateSamples } from '../template-records';
import { SyncReply } from './get-sync.v1';

export class RequestSyncCommand {
  @IsString() accountId: string;
}

export const requestSyncV1 = command({
  name: 'templates.request-sync.v1',
  owner: 'templates',
  description: "Makes a reading of all of an account's templates due at once; ask for its progress with templates.get-sync.v1.",
  request: RequestSyncCommand,
  response: SyncReply,
  changes: true,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { businesses: [{ ...templateSamples.sync, state: 'waiting' as const }] } },
});
