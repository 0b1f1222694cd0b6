import { Type } from 'class-transformer';
import { IsArray, IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';

export const TEMPLATE_STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'FLAGGED', 'DISABLED'] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];

/** A template as the API lists it (spec §7.5.3). */
export class TemplateRecord {
  @IsString() id: string;
  @IsString() name: string;
  @IsIn(TEMPLATE_STATUSES) status: TemplateStatus;
  @IsString() category: string;
  @IsString() language: string;
  /** HEADER, BODY, FOOTER and BUTTONS in the spec's shape. */
  @IsArray() components: object[];
}

export class ListTemplatesCommand {
  @IsString() accountId: string;
  @IsOptional() @IsString() @IsStorableText() name?: string;
  /** `en-US` and `en_US` are the same language. */
  @IsOptional() @IsString() @IsStorableText() language?: string;
  /** In either case. */
  @IsOptional() @IsString() @IsStorableText() category?: string;
}

export class ListTemplatesReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => TemplateRecord) templates: TemplateRecord[];
}

export const templateSample: TemplateRecord = {
  id: '1387372356726668',
  name: 'order_update',
  status: 'APPROVED',
  category: 'UTILITY',
  language: 'en_US',
  components: [{ type: 'BODY', text: 'Order {{1}} ships on {{2}}.' }],
};

export const listTemplatesV1 = command({
  name: 'templates.list-templates.v1',
  owner: 'templates',
  description: "The account's approved templates, by name and language.",
  request: ListTemplatesCommand,
  response: ListTemplatesReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: 65_536,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000' },
    response: { templates: [templateSample] },
  },
});
