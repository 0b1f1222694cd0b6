import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';
import { Alias, BodySchema, Doc, Either, Hidden, Nested, pascalCase } from '../body-docs';
import { Transform, Type } from '../body-values';
import { TEMPLATE_VALUES_MAX_BYTES } from '../message-contract';
import {
  IsInsteadOf,
  IsMediaId,
  IsMediaLink,
  IsNotBlank,
  IsObjectOrList,
  IsStorableText,
  MaxJsonBytes,
  MaxUnits,
} from '../validation';
import { ActionValue, OfferValue, ProductValue } from './parameter-objects';
import { TEMPLATE_VARIABLES_DOC, TEMPLATE_VARIABLES_SCHEMAS } from './template-variables.docs';

/** Maximum length of a text body, in UTF-16 units as the upstream platform counts (spec §3.2.1). */
export const TEXT_MAX_CHARACTERS = 4096;
/** Maximum length of a caption, in the same units (spec §3.3.6). */
export const CAPTION_MAX_CHARACTERS = 1024;

/** Message types with a file or a link to one (spec §3.3.1). */
export const MEDIA_TYPES = ['image', 'document', 'video', 'audio', 'sticker'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];
/** Message types that a client can send (spec §3.1). */
export const SENDABLE_TYPES = [
  'text',
  'template',
  ...MEDIA_TYPES,
  'interactive',
  'location',
  'contacts',
  'reaction',
] as const;
export type SendableType = (typeof SENDABLE_TYPES)[number];
/** Message types for bulk sends (spec §8.1.3): a reaction refers to one message of one contact. */
export const BULK_TYPES: readonly string[] = SENDABLE_TYPES.filter((type) => type !== 'reaction');
/** Message types that may have a caption (spec §3.3.4). */
export const CAPTION_TYPES: readonly string[] = ['image', 'document', 'video'];
/** Internal or upstream id of a message. */
export const MESSAGE_NAME = /^(msg_|wamid\.)[\x21-\x7E]{1,250}$/;

/** Checks for a type with a file or a link, which requires the plan feature MEDIA. */
export function isMediaType(type: string): type is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(type);
}

/**
 * Statuses of a message (spec §5.2); `sending` and `unknown` are internal until the upstream platform has responded.
 */
export const MESSAGE_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Statuses that customers get by event (spec §11.3.12). */
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

/** JSON Schema counts differently, so its bound alone would be misleading. */
const COUNTED = 'counted in UTF-16 code units: an emoji counts as two or more';
/** API description of a caption. */
export const CAPTION_DOC = `At most ${CAPTION_MAX_CHARACTERS} characters, ${COUNTED}`;

/** API description of a voice message. */
export const VOICE_DOC = 'Whether to send it as a voice message, which requires Ogg with Opus; defaults to false';

/** Content of a text message (spec §3.2). */
export class TextContent {
  @Doc(`Must not be blank; ${COUNTED}`, { example: 'Your order has shipped' })
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @IsNotBlank()
  @MaxUnits(TEXT_MAX_CHARACTERS)
  body: string;
  @Doc('Whether to show a preview of the first link in the text; defaults to false')
  @Alias('preview_url')
  @IsOptional()
  @IsBoolean()
  previewUrl?: boolean;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/**
 * File of a message: a link that the upstream platform fetches itself after it has accepted the message (spec §3.3.3),
 * or the id of an uploaded file (spec §3.4.8).
 */
export class MediaLink {
  @Doc('Public https URL; fetched by the upstream platform. Either `link` or `id` is required')
  @ValidateIf(({ id, link }: MediaLink) => isAbsent(id) || !isAbsent(link))
  @IsString()
  @IsStorableText()
  @IsMediaLink()
  link?: string;
  @Doc('ID of a file uploaded with `POST /v1/media`, instead of a `link`')
  @IsOptional()
  @IsString()
  @IsMediaId()
  @IsInsteadOf('link')
  id?: string;
}

/** Content of a sticker: a WebP image without a caption (spec §3.10.5). */
export class StickerContent extends MediaLink {
  /** Exists only to be rejected (`HasNoForeignCaption`). */
  @Hidden() @IsOptional() caption?: unknown;
}

/** Content of an audio message: like an image, but without a caption (spec §3.3.5). */
export class AudioContent extends StickerContent {
  @Doc(VOICE_DOC) @IsOptional() @IsBoolean() voice?: boolean;
}

/** Content of an image or video message; `caption` may also be given at the top level. */
export class CaptionedContent extends MediaLink {
  @Doc('Can also be set at the top level')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(CAPTION_MAX_CHARACTERS)
  caption?: string;
}

/** Content of a document message; `filename` is what the recipient sees. */
export class DocumentContent extends CaptionedContent {
  @Doc('File name shown to the recipient')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxUnits(VALUE_MAX_CHARACTERS.filename)
  filename?: string;
}

/** Degrees as a decimal number. */
export const COORDINATE = /^-?[0-9]{1,3}(\.[0-9]{1,20})?$/;
/** Maximum coordinates, in degrees. */
export const COORDINATE_MAX = { latitude: 90, longitude: 180 } as const;

/** The upstream platform writes coordinates as strings, and callers may do so, too. */
const coordinate = (value: unknown): unknown =>
  typeof value === 'string' && COORDINATE.test(value) ? Number(value) : value;

/** Location in the header of a template. */
export class HeaderLocation {
  @Doc('In degrees; a string is accepted as well', { example: 12.9716 })
  @Transform(coordinate)
  @IsNumber()
  @Min(-COORDINATE_MAX.latitude)
  @Max(COORDINATE_MAX.latitude)
  latitude: number;
  @Doc('In degrees; a string is accepted as well', { example: 77.5946 })
  @Transform(coordinate)
  @IsNumber()
  @Min(-COORDINATE_MAX.longitude)
  @Max(COORDINATE_MAX.longitude)
  longitude: number;
  @Doc(undefined, { example: 'City store' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(VALUE_MAX_CHARACTERS.text)
  name?: string;
  @Doc(undefined, { example: '1 Market Road, Bengaluru' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(VALUE_MAX_CHARACTERS.text)
  address?: string;
}

export class TemplateLanguage {
  @Doc(undefined, { example: 'en_US' }) @IsString() @IsStorableText() @MaxLength(20) code: string;
}

/**
 * Types of template parameters: text, the payload or coupon code of a button, the file, location or product of a
 * header, the end of an offer, or the action of a button.
 */
export const PARAMETER_TYPES = [
  'text',
  'payload',
  'coupon_code',
  'image',
  'document',
  'video',
  'gif',
  'location',
  'product',
  'limited_time_offer',
  'action',
] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** Parameter of a template send, in the field named after its type. Matching types are checked against the template. */
@BodySchema({
  description: 'Value of a variable, in the field named by its type',
  kinds: { by: 'type', nameOf: (type) => `${pascalCase(type)}Parameter` },
})
export class TemplateParameter {
  @IsIn(PARAMETER_TYPES) type: ParameterType;
  @Doc('Name of the variable in a template with named variables; by default, values are in the order of the template')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(64)
  parameter_name?: string;
  @Doc('For headers, bodies and url buttons', { example: 'A-17' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(VALUE_MAX_CHARACTERS.text)
  text?: string;
  @Doc('For quick_reply buttons')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(VALUE_MAX_CHARACTERS.payload)
  payload?: string;
  @Doc('For copy_code buttons')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(VALUE_MAX_CHARACTERS.coupon_code)
  coupon_code?: string;
  @Doc('For headers') @IsOptional() @IsObject() @Nested(() => MediaLink) image?: MediaLink;
  @Doc('For headers') @IsOptional() @IsObject() @Nested(() => DocumentContent) document?: DocumentContent;
  @Doc('For headers') @IsOptional() @IsObject() @Nested(() => MediaLink) video?: MediaLink;
  @Doc('For headers: a short video played as a GIF')
  @IsOptional()
  @IsObject()
  @Nested(() => MediaLink)
  gif?: MediaLink;
  @Doc('For headers') @IsOptional() @IsObject() @Nested(() => HeaderLocation) location?: HeaderLocation;
  @Doc('For product headers')
  @IsOptional()
  @IsObject()
  @Nested(() => ProductValue)
  product?: ProductValue;
  @Doc('For limited_time_offer') @IsOptional() @IsObject() @Nested(() => OfferValue) limited_time_offer?: OfferValue;
  @Doc('For catalog, mpm and flow buttons') @IsOptional() @IsObject() @Nested(() => ActionValue) action?: ActionValue;
}

const numberAsText = (value: unknown): unknown => (Number.isInteger(value) ? String(value) : value);

const CARD_PARTS = ['header', 'body', 'button'];
const PARTS = [...CARD_PARTS, 'limited_time_offer', 'carousel'];
const inEitherCase = (types: string[]): string[] => [...types, ...types.map((type) => type.toUpperCase())];

/** Component of a card; `sub_type` and `index` belong to buttons. */
export class CardComponent {
  @Doc('Lower or upper case', { enum: inEitherCase(CARD_PARTS) })
  @IsString()
  @IsStorableText()
  @MaxLength(20)
  type: string;
  @Doc('Only for buttons', { enum: ['url', 'quick_reply', 'copy_code', 'catalog', 'mpm', 'flow'] })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(20)
  sub_type?: string;
  @Doc('Only for buttons: position among the buttons; a number is accepted as well', {
    pattern: '^[0-9]{1,3}$',
    example: '0',
  })
  @IsOptional()
  @Transform(numberAsText)
  @IsString()
  @IsStorableText()
  @MaxLength(3)
  index?: string;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => TemplateParameter)
  parameters?: TemplateParameter[];
}

/** Components of one card of a carousel. */
export class TemplateCard {
  @Doc('Position of the card, from 0') @IsInt() @Min(0) @Max(9) card_index: number;
  @IsArray()
  @ArrayMaxSize(10)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => CardComponent)
  components: CardComponent[];
}

/** Component of a template send (spec §3.5.2); `cards` belong to a carousel. */
export class TemplateComponent extends CardComponent {
  @Doc('Lower or upper case', { enum: inEitherCase(PARTS) })
  @IsString()
  @IsStorableText()
  @MaxLength(20)
  override type: string;
  @Doc('Only for a carousel: each card of the template')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => TemplateCard)
  cards?: TemplateCard[];
}

/** Content of a template message (spec §3.5). */
export class TemplateContent {
  @Doc(undefined, { example: 'order_update' }) @IsString() @IsStorableText() @MaxLength(512) name: string;
  @IsObject() @Nested(() => TemplateLanguage) language: TemplateLanguage;
  @Doc(`At most ${TEMPLATE_VALUES_MAX_BYTES / 1_024} KB as JSON`)
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @MaxJsonBytes(TEMPLATE_VALUES_MAX_BYTES)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => TemplateComponent)
  components?: TemplateComponent[];
  @Doc(TEMPLATE_VARIABLES_DOC)
  @IsOptional()
  @IsObjectOrList()
  @MaxJsonBytes(TEMPLATE_VALUES_MAX_BYTES)
  @Either(...TEMPLATE_VARIABLES_SCHEMAS)
  variables?: unknown[] | Record<string, unknown>;
}

/**
 * Reason of a failed message, as services store and send it; customers get it as a `Failure`. `code` is the upstream
 * code; 0 if it gave none or was not called.
 */
export class MessageError {
  /** Internal code: of an API error, or of the reason that ended a job. Absent in data of older versions. */
  @IsOptional() @IsString() reason?: string;
  @IsInt() code: number;
  @IsString() title: string;
  @IsString() message: string;
  @IsIn(ERROR_CATEGORIES) category: ErrorCategory;
  @IsBoolean() retriable: boolean;
}
