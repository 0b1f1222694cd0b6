import { Equals, IsIn, IsObject, IsOptional, IsString, MinLength, ValidateIf } from 'class-validator';
import { BodySchema, Doc, Hidden, Nested, pascalCase } from '../body-docs';
import { HasNoFault, IsNotBlank, IsStorableText, MaxUnits } from '../validation';
import { idFault } from './interactive-faults';
import { MediaLink } from './message-types';

/** Maximum lengths accepted by the upstream platform, in UTF-16 units (spec §3.10.2). */
export const MOST = {
  header: 60,
  body: 1_024,
  listBody: 4_096,
  footer: 60,
  buttonId: 256,
  buttonTitle: 20,
  rowId: 200,
  rowTitle: 24,
  rowDescription: 72,
  sectionTitle: 24,
  flowButton: 30,
} as const;
/** Maximum number of sections in a list of rows or products. */
export const MOST_SECTIONS = 10;

/** Validates a text that the recipient sees. */
export function IsShownText(most: number): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [MaxUnits(most), IsNotBlank(), MinLength(1), IsStorableText(), IsString()])
      decorate(prototype, name);
  };
}

/** Validates an id that the platform returns when the contact selects the option. */
export function IsChoiceId(most: number): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [HasNoFault(idFault), IsShownText(most)]) decorate(prototype, name);
  };
}

/** Rejects a property that the platform does not support for the message type. */
export function IsUnsupported(): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [HasNoFault(() => 'is not supported for this type'), IsOptional(), Hidden()])
      decorate(prototype, name);
  };
}

export class InteractiveBody {
  @Doc(undefined, { example: 'When shall we deliver?' }) @IsShownText(MOST.body) text: string;
}

export class InteractiveListBody {
  @Doc(undefined, { example: 'When shall we deliver?' }) @IsShownText(MOST.listBody) text: string;
}

export class InteractiveFooter {
  @IsShownText(MOST.footer) text: string;
}

/** Document in a message header; the recipient sees its file name. */
export class HeaderDocument extends MediaLink {
  @IsOptional() @IsShownText(240) filename?: string;
}

const HEADER_TYPES = ['text', 'image', 'video', 'document'] as const;
type HeaderType = (typeof HEADER_TYPES)[number];
const hasHeaderType = (type: HeaderType) => (header: { type: unknown }) => header.type === type;

@BodySchema({
  description: 'Header above the text. An image, video or document requires the plan feature MEDIA',
  kinds: { by: 'type', nameOf: (type) => `Interactive${pascalCase(type)}Header` },
})
export class InteractiveHeader {
  @IsIn(HEADER_TYPES) type: HeaderType;
  @ValidateIf(hasHeaderType('text')) @IsShownText(MOST.header) text?: string;
  @ValidateIf(hasHeaderType('image')) @IsObject() @Nested(() => MediaLink) image?: MediaLink;
  @ValidateIf(hasHeaderType('video')) @IsObject() @Nested(() => MediaLink) video?: MediaLink;
  @ValidateIf(hasHeaderType('document')) @IsObject() @Nested(() => HeaderDocument) document?: HeaderDocument;
}

@BodySchema({ description: 'Text header of a list of rows or products; lists support no other headers' })
export class InteractiveListHeader {
  @Equals('text') type: 'text';
  @IsShownText(MOST.header) text: string;
}

/** Message with choices that may have a footer. */
export class Interactive {
  @IsOptional() @IsObject() @Nested(() => InteractiveFooter) footer?: InteractiveFooter;
}
