import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { templateSamples } from '../template-records';
import { DraftReply } from './create-draft.v1';

export class GetDraftCommand {
  @IsString() accountId: string;
  @IsString() draftId: string;
}

const { draft } = templateSamples;

export const getDraftV1 = command({
  name: 'templates.get-draft.v1',
  owner: 'templates',
  description: 'One draft of a template.',
  request: GetDraftCommand,
  response: DraftReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', draftId: draft.id }, response: { draft } },
});
