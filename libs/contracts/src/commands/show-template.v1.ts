import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { ManagedTemplateRecord, templateSamples } from '../template-records';

export class ShowTemplateCommand {
  @IsString() accountId: string;
  @IsString() templateId: string;
}

export class ShowTemplateReply {
  @ValidateNested() @Type(() => ManagedTemplateRecord) template: ManagedTemplateRecord;
}

const { template } = templateSamples;

export const showTemplateV1 = command({
  name: 'templates.show-template.v1',
  owner: 'templates',
  description: 'One template of any status, by its id, as its account manages it.',
  request: ShowTemplateCommand,
  response: ShowTemplateReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', templateId: template.id }, response: { template } },
});
