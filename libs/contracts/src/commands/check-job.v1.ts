import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsObject, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { command, CONTENT_BYTES, PART_BYTES } from '../message-contract';
import { TemplateComponent } from '../message-types';
import { MessageContent } from './send-message.v1';

/** Recipients whose own components one call checks at most. */
export const CHECKED_RECIPIENTS_MAX = 500;

/** The components of one recipient, instead of the job's own. */
export class RecipientComponents {
  @IsArray() @ArrayMaxSize(50) @ValidateNested({ each: true }) @Type(() => TemplateComponent) components: TemplateComponent[];
}

export class CheckJobCommand {
  @IsString() accountId: string;
  @IsObject() @ValidateNested() @Type(() => MessageContent) message: MessageContent;
  /** Empty or absent: the message's own components are checked, as every recipient gets them. */
  @IsOptional() @IsArray() @ArrayMaxSize(CHECKED_RECIPIENTS_MAX) @ValidateNested({ each: true }) @Type(() => RecipientComponents) recipients?: RecipientComponents[];
}

/** Why one recipient's components do not fit; an error code of the API (spec §6.2). */
export class RecipientFault {
  /** Position in the given list, from 0. */
  @IsInt() @Min(0) index: number;
  @IsString() code: string;
  @IsString() message: string;
}

export class CheckedTemplateFacts {
  @IsString() name: string;
  @IsString() language: string;
  /** UPPER case, for example MARKETING. */
  @IsString() category: string;
  /** Names of the body's variables in their order: `1`, `2`, … or words. */
  @IsArray() @IsString({ each: true }) bodyVariables: string[];
}

export class CheckJobReply {
  @IsString() phoneNumber: string;
  /** Messages a second that upstream takes from the number. */
  @IsInt() throughput: number;
  @IsOptional() @ValidateNested() @Type(() => CheckedTemplateFacts) template: CheckedTemplateFacts | null;
  @IsArray() @ValidateNested({ each: true }) @Type(() => RecipientFault) faults: RecipientFault[];
}

export const checkJobV1 = command({
  name: 'messaging.check-job.v1',
  owner: 'messaging',
  askers: ['jobs'],
  description: "Judges what a bulk job wants to send before any recipient is stored: the number, the template, the recipients' variables.",
  request: CheckJobCommand,
  response: CheckJobReply,
  changes: false,
  timeoutMs: 10_000,
  maxBytes: CONTENT_BYTES + PART_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      message: { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
      recipients: [{ components: [{ type: 'body', parameters: [{ type: 'text' as const, text: 'A-17' }] }] }],
    },
    response: {
      phoneNumber: '15550783881',
      throughput: 80,
      template: { name: 'order_update', language: 'en_US', category: 'UTILITY', bodyVariables: ['1', '2'] },
      faults: [{ index: 0, code: 'TEMPLATE_PARAMS_MISMATCH', message: 'template parameters do not match the template: the body expects 2, 1 given' }],
    },
  },
});
