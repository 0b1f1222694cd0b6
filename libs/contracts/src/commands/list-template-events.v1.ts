import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { TemplateEventRecord, templateSamples } from '../template-records';

export class ListTemplateEventsCommand {
  @IsString() accountId: string;
  @IsString() templateId: string;
  @IsInt() @Min(1) @Max(500) limit: number;
  /** The id of the last event of an earlier page. */
  @IsOptional() @IsString() @Matches(/^[1-9][0-9]{0,17}$/) @MaxLength(18) cursor?: string;
}

export class ListTemplateEventsReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => TemplateEventRecord) events: TemplateEventRecord[];
  /** Null on the last page. */
  @IsOptional() @IsString() nextCursor: string | null;
}

export const listTemplateEventsV1 = command({
  name: 'templates.list-template-events.v1',
  owner: 'templates',
  description: 'One page of what happened to a template, the newest first: callbacks as they came, and changes that readings found. Also of one that is gone.',
  request: ListTemplateEventsCommand,
  response: ListTemplateEventsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', templateId: templateSamples.template.id, limit: 20 },
    response: { events: [templateSamples.event], nextCursor: null },
  },
});
