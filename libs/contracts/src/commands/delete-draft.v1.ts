import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { templateSamples } from '../template-records';
import { DraftReply } from './create-draft.v1';

export class DeleteDraftCommand {
  @IsString() accountId: string;
  @IsString() draftId: string;
}

const { draft } = templateSamples;

export const deleteDraftV1 = command({
  name: 'templates.delete-draft.v1',
  owner: 'templates',
  description: 'Throws a draft away; not while it is being submitted.',
  request: DeleteDraftCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', draftId: draft.id }, response: { draft } },
});
