import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { templateSamples } from '../template-records';
import { DraftReply } from './create-draft.v1';

export class SubmitDraftCommand {
  @IsString() accountId: string;
  @IsString() draftId: string;
}

const { draft } = templateSamples;

export const submitDraftV1 = command({
  name: 'templates.submit-draft.v1',
  owner: 'templates',
  description: 'Hands a draft to the upstream platform for review, which goes on by itself; refused with INVALID_VALUE and all faults when the platform would refuse it.',
  request: SubmitDraftCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', draftId: draft.id }, response: { draft: { ...draft, state: 'submitting' as const } } },
});
