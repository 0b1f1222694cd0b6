import { Transform, type TransformFnParams, Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { IsStorableText } from './validation';

/** The longest text body, in characters (decisions 4). */
export const TEXT_MAX_CHARACTERS = 4096;

/** The message types a customer can send today (spec 2.2). */
export const SENDABLE_TYPES = ['text', 'template'] as const;
export type SendableType = (typeof SENDABLE_TYPES)[number];

/** What becomes of a message (spec 3.2); `sending` and `unknown` are internal until the upstream platform has answered. */
export const MESSAGE_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Statuses that are reported to customers by event (spec 6.2). */
export const REPORTED_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

export const ERROR_CATEGORIES = [
  'auth',
  'rate_limit',
  'integrity',
  'template',
  'window',
  'undeliverable',
  'media',
  'optout',
  'credit',
  'other',
] as const;
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

/** Content of a text message (spec 2.2). */
export class TextContent {
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(TEXT_MAX_CHARACTERS) body: string;
}

export class TemplateLanguage {
  @IsString() @IsStorableText() @MaxLength(20) code: string;
}

export class TemplateParameter {
  @IsIn(['text']) type: 'text';
  @IsString() @IsStorableText() @MaxLength(1024) text: string;
}

const numberAsText = ({ value }: TransformFnParams): unknown => (Number.isInteger(value) ? String(value) : value);

/** One component of a template send (spec 2.3); `sub_type` and `index` belong to buttons. */
export class TemplateComponent {
  @IsString() @IsStorableText() @MaxLength(20) type: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) sub_type?: string;
  /** Position among the template's buttons; a number is taken, too. */
  @IsOptional() @Transform(numberAsText) @IsString() @IsStorableText() @MaxLength(3) index?: string;
  @IsOptional() @IsArray() @IsObject({ each: true }) @ValidateNested({ each: true }) @Type(() => TemplateParameter) parameters?: TemplateParameter[];
}

/** Content of a template message (spec 2.3). */
export class TemplateContent {
  @IsString() @IsStorableText() @MaxLength(512) name: string;
  @IsObject() @ValidateNested() @Type(() => TemplateLanguage) language: TemplateLanguage;
  @IsOptional() @IsArray() @IsObject({ each: true }) @ValidateNested({ each: true }) @Type(() => TemplateComponent) components?: TemplateComponent[];
}

/** Why a message failed, as records and events show it (decisions 5); `code` is the upstream's number, 0 when it gave none. */
export class MessageError {
  @IsInt() code: number;
  @IsString() title: string;
  @IsString() message: string;
  @IsIn(ERROR_CATEGORIES) category: ErrorCategory;
  @IsBoolean() retriable: boolean;
}
