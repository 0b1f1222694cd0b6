import { IsString } from 'class-validator';
import { Answer, ListOf } from '../body-docs';
import { command } from '../message-contract';
import { templateSamples, TemplateSyncRecord } from './template-records';

export class GetSyncCommand {
  @IsString() accountId: string;
}

@Answer({ name: 'TemplateSync' })
export class SyncReply {
  @ListOf(() => TemplateSyncRecord) businesses: TemplateSyncRecord[];
}

export const getSyncV1 = command({
  name: 'templates.get-sync.v1',
  owner: 'templates',
  description: "Returns the progress of an account's template sync, for each of its business accounts upstream.",
  request: GetSyncCommand,
  response: SyncReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000' },
    response: { businesses: [templateSamples.sync] },
  },
});

export class RequestSyncCommand {
  @IsString() accountId: string;
}

export const requestSyncV1 = command({
  name: 'templates.request-sync.v1',
  owner: 'templates',
  description:
    "Schedules a sync of all of an account's templates immediately. templates.get-sync.v1 returns its progress.",
  request: RequestSyncCommand,
  response: SyncReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000' },
    response: { businesses: [{ ...templateSamples.sync, state: 'waiting' as const }] },
  },
});
