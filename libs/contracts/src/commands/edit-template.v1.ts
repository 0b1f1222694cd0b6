import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { templateSamples } from '../template-records';
import { DraftReply } from './create-draft.v1';

export class EditTemplateCommand {
  @IsString() accountId: string;
  @IsString() templateId: string;
}

const { draft, template } = templateSamples;

export const editTemplateV1 = command({
  name: 'templates.edit-template.v1',
  owner: 'templates',
  description: 'Begins a change of a template with what it has now, or gives the draft of a change that was begun before.',
  request: EditTemplateCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', templateId: template.id }, response: { draft: { ...draft, kind: 'edit' as const, templateId: template.id } } },
});
