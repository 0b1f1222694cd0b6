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

/** Maximum length of a text body, in UTF-16 units, which the upstream platform counts (spec §3.2.1). */
export const TEXT_MAX_CHARACTERS = 4096;
/** Maximum length of a caption, in UTF-16 units (spec §3.3.6). */
export const CAPTION_MAX_CHARACTERS = 1024;

/** Message types whose content is a file, uploaded or linked (spec §3.3.1). */
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
/**
 * Message types for bulk sends (spec §8.1.3). A reaction is excluded, because it refers to one message of one contact.
 */
export const BULK_TYPES: readonly string[] = SENDABLE_TYPES.filter((type) => type !== 'reaction');
/** Message types that allow a caption (spec §3.3.4). */
export const CAPTION_TYPES: readonly string[] = ['image', 'document', 'video'];
/** Internal or upstream message id. */
export const MESSAGE_NAME = /^(msg_|wamid\.)[\x21-\x7E]{1,250}$/;

/** Checks for a type with a file or link, for which the account's plan needs the feature MEDIA. */
export function isMediaType(type: string): type is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(type);
}

/**
 * Message statuses (spec §5.2). The internal statuses `sending` and `unknown` apply until the upstream platform has
 * responded.
 */
export const MESSAGE_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Statuses reported to customers by event (spec §11.3.12). */
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

/** Needed because JSON Schema's `maxLength` counts code points. */
const COUNTED = 'counted in UTF-16 code units, so an emoji counts as two or more';
/** API description of a caption. */
export const CAPTION_DOC = `At most ${CAPTION_MAX_CHARACTERS} characters, ${COUNTED}`;

/** API description of a voice message. */
export const VOICE_DOC =
  'Whether to send the audio as a voice message, which requires Ogg with Opus; defaults to false';

/** Content of a text message (spec §3.2). */
export class TextContent {
  @Doc(`Text of the message. Must not be blank. Its length is ${COUNTED}`, { example: 'Your order has shipped' })
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
 * File of a message: a link from which the upstream platform downloads it after accepting the message (spec §3.3.3), or
 * the id of an uploaded file (spec §3.4.8).
 */
export class MediaLink {
  @Doc('Public https URL from which the upstream platform downloads the file. Either `link` or `id` is required')
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
  /** Declared only so that validation rejects it (`HasNoForeignCaption`). */
  @Hidden() @IsOptional() caption?: unknown;
}

/** Content of an audio message: like an image, but without a caption (spec §3.3.5). */
export class AudioContent extends StickerContent {
  @Doc(VOICE_DOC) @IsOptional() @IsBoolean() voice?: boolean;
}

/** Content of an image or video message. A caption may also be given at the top level of the request. */
export class CaptionedContent extends MediaLink {
  @Doc('Caption of the file; can be set here or in the top-level field `caption`')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(CAPTION_MAX_CHARACTERS)
  caption?: string;
}

/** Content of a document message. */
export class DocumentContent extends CaptionedContent {
  @Doc('File name shown to the recipient')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxUnits(VALUE_MAX_CHARACTERS.filename)
  filename?: string;
}

/** Coordinate in degrees as a decimal number. */
export const COORDINATE = /^-?[0-9]{1,3}(\.[0-9]{1,20})?$/;
/** Maximum absolute coordinates, in degrees. */
export const COORDINATE_MAX = { latitude: 90, longitude: 180 } as const;

/** Accepts strings, because the upstream platform writes coordinates as strings. */
const coordinate = (value: unknown): unknown =>
  typeof value === 'string' && COORDINATE.test(value) ? Number(value) : value;

/** Location in the header of a template. */
export class HeaderLocation {
  @Doc('Latitude in degrees, as a number or a string', { example: 12.9716 })
  @Transform(coordinate)
  @IsNumber()
  @Min(-COORDINATE_MAX.latitude)
  @Max(COORDINATE_MAX.latitude)
  latitude: number;
  @Doc('Longitude in degrees, as a number or a string', { example: 77.5946 })
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

/** Value of a template variable, in the field named after its type. Validated later against the template. */
@BodySchema({
  description: 'Value of a variable, in the field named by its type',
  kinds: { by: 'type', nameOf: (type) => `${pascalCase(type)}Parameter` },
})
export class TemplateParameter {
  @IsIn(PARAMETER_TYPES) type: ParameterType;
  @Doc(
    "Name of the variable, for a template with named variables. Without names, values are in the order of the template's variables",
  )
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(64)
  parameter_name?: string;
  @Doc('Text for a variable of a header, body or URL button', { example: 'A-17' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(VALUE_MAX_CHARACTERS.text)
  text?: string;
  @Doc('Payload of a `quick_reply` button')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(VALUE_MAX_CHARACTERS.payload)
  payload?: string;
  @Doc('Coupon code of a `copy_code` button')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxUnits(VALUE_MAX_CHARACTERS.coupon_code)
  coupon_code?: string;
  @Doc('Image for an image header') @IsOptional() @IsObject() @Nested(() => MediaLink) image?: MediaLink;
  @Doc('Document for a document header')
  @IsOptional()
  @IsObject()
  @Nested(() => DocumentContent)
  document?: DocumentContent;
  @Doc('Video for a video header') @IsOptional() @IsObject() @Nested(() => MediaLink) video?: MediaLink;
  @Doc('Short video for a header, played as a GIF')
  @IsOptional()
  @IsObject()
  @Nested(() => MediaLink)
  gif?: MediaLink;
  @Doc('Location for a location header')
  @IsOptional()
  @IsObject()
  @Nested(() => HeaderLocation)
  location?: HeaderLocation;
  @Doc('Product for a product header')
  @IsOptional()
  @IsObject()
  @Nested(() => ProductValue)
  product?: ProductValue;
  @Doc('End of the offer, for a component of type `limited_time_offer`')
  @IsOptional()
  @IsObject()
  @Nested(() => OfferValue)
  limited_time_offer?: OfferValue;
  @Doc('Action of a `catalog`, `mpm` or `flow` button')
  @IsOptional()
  @IsObject()
  @Nested(() => ActionValue)
  action?: ActionValue;
}

const numberAsText = (value: unknown): unknown => (Number.isInteger(value) ? String(value) : value);

const CARD_PARTS = ['header', 'body', 'button'];
const PARTS = [...CARD_PARTS, 'limited_time_offer', 'carousel'];
const inEitherCase = (types: string[]): string[] => [...types, ...types.map((type) => type.toUpperCase())];

/** Component of a carousel card; `sub_type` and `index` are for buttons. */
export class CardComponent {
  @Doc('Type of the component, in lower or upper case', { enum: inEitherCase(CARD_PARTS) })
  @IsString()
  @IsStorableText()
  @MaxLength(20)
  type: string;
  @Doc('Type of the button; only for components of type `button`', {
    enum: ['url', 'quick_reply', 'copy_code', 'catalog', 'mpm', 'flow'],
  })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(20)
  sub_type?: string;
  @Doc('Zero-based position of the button, as a string or number; only for components of type `button`', {
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

/** Components of one carousel card. */
export class TemplateCard {
  @Doc('Zero-based position of the card') @IsInt() @Min(0) @Max(9) card_index: number;
  @IsArray()
  @ArrayMaxSize(10)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => CardComponent)
  components: CardComponent[];
}

/** Component of a template send (spec §3.5.2); `cards` is for carousels. */
export class TemplateComponent extends CardComponent {
  @Doc('Type of the component, in lower or upper case', { enum: inEitherCase(PARTS) })
  @IsString()
  @IsStorableText()
  @MaxLength(20)
  override type: string;
  @Doc('All cards of the template; only for a component of type `carousel`')
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
  @Doc(
    `Components with the values of the template's variables; at most ${TEMPLATE_VALUES_MAX_BYTES / 1_024} KB as JSON`,
  )
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
 * Failure reason as services store and exchange it; customers receive it as a `Failure`. `code` is the upstream code,
 * or 0 if upstream returned none or was not called.
 */
export class MessageError {
  /** API error code, or the reason that ended a job; absent in data of older versions. */
  @IsOptional() @IsString() reason?: string;
  @IsInt() code: number;
  @IsString() title: string;
  @IsString() message: string;
  @IsIn(ERROR_CATEGORIES) category: ErrorCategory;
  @IsBoolean() retriable: boolean;
}
