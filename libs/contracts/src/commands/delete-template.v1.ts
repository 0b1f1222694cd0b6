import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { templateSamples } from '../template-records';

export class DeleteTemplateCommand {
  @IsString() accountId: string;
  @IsString() templateId: string;
}

export class DeleteTemplateReply {
  @IsString() templateId: string;
}

const { id: templateId } = templateSamples.template;

export const deleteTemplateV1 = command({
  name: 'templates.delete-template.v1',
  owner: 'templates',
  description: 'Deletes one template, in its one language, at the upstream platform; the next reading takes it out of the list.',
  request: DeleteTemplateCommand,
  response: DeleteTemplateReply,
  changes: true,
  timeoutMs: 15_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', templateId }, response: { templateId } },
});
