import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Alias, BodySchema, Doc, Either, ListOf, Nested, pascalCase } from '../body-docs';
import { Type } from '../body-values';
import type { BodyClass } from '../message-contract';
import { HasNoFault, IsNotBlank, IsStorableText, IsWebAddress, MaxUnits } from '../validation';
import { buttonsFault, idFault, sectionsFault } from './interactive-faults';
import { MediaLink } from './message-types';

/** Maximum lengths accepted by the upstream platform, in UTF-16 units (spec §3.10.2). */
const MOST = {
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
} as const;
const MOST_BUTTONS = 3;
const MOST_SECTIONS = 10;

function IsShownText(most: number): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [MaxUnits(most), IsNotBlank(), MinLength(1), IsStorableText(), IsString()])
      decorate(prototype, name);
  };
}

/** Validates an id that the platform returns when the contact selects the option. */
function IsChoiceId(most: number): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [HasNoFault(idFault), IsShownText(most)]) decorate(prototype, name);
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

@BodySchema({ description: 'Text header of a list message; lists support no other headers' })
export class InteractiveListHeader {
  @Equals('text') type: 'text';
  @IsShownText(MOST.header) text: string;
}

export class ReplyOfButton {
  @Doc('ID returned when the customer presses the button', { example: 'tomorrow' })
  @IsChoiceId(MOST.buttonId)
  id: string;
  @Doc(undefined, { example: 'Tomorrow' }) @IsShownText(MOST.buttonTitle) title: string;
}

export class ReplyButton {
  @Equals('reply') type: 'reply';
  @IsObject() @Nested(() => ReplyOfButton) reply: ReplyOfButton;
}

export class ReplyButtonsAction {
  @Doc('Reply buttons; their ids and titles must be unique')
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_BUTTONS)
  @HasNoFault(buttonsFault)
  @IsObject({ each: true })
  @ListOf(() => ReplyButton)
  buttons: ReplyButton[];
}

export class ListRow {
  @Doc('ID returned when the customer chooses the row', { example: 'express' }) @IsChoiceId(MOST.rowId) id: string;
  @Doc(undefined, { example: 'Express' }) @IsShownText(MOST.rowTitle) title: string;
  @IsOptional() @IsShownText(MOST.rowDescription) description?: string;
}

export class ListSection {
  @Doc('Heading of the section; required if the list has several sections')
  @IsOptional()
  @IsShownText(MOST.sectionTitle)
  title?: string;
  @ArrayMinSize(1) @ArrayMaxSize(100) @IsObject({ each: true }) @ListOf(() => ListRow) rows: ListRow[];
}

export class ListAction {
  @Doc('Label of the button that opens the list', { example: 'Choose' }) @IsShownText(MOST.buttonTitle) button: string;
  @Doc('Sections of the list, with at most 10 rows in total. Row ids must be unique')
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_SECTIONS)
  @HasNoFault(sectionsFault)
  @IsObject({ each: true })
  @ListOf(() => ListSection)
  sections: ListSection[];
}

export class UrlButton {
  @Doc('Label of the button', { example: 'Track the parcel' })
  @Alias('display_text')
  @IsShownText(MOST.buttonTitle)
  displayText: string;
  @Doc('URL opened by the button: http or https, with a public host name', {
    format: 'uri',
    example: 'https://example.com/track/A-17',
  })
  @IsString()
  @IsStorableText()
  @IsWebAddress()
  url: string;
}

export class UrlButtonAction {
  @Equals('cta_url') name: 'cta_url';
  @IsObject() @Nested(() => UrlButton) parameters: UrlButton;
}

export class RequestContactAction {
  @Equals('request_contact_info') name: 'request_contact_info';
}

class Interactive {
  @IsOptional() @IsObject() @Nested(() => InteractiveFooter) footer?: InteractiveFooter;
}

@BodySchema({ description: "Up to three buttons for the customer's reply" })
export class ReplyButtonsContent extends Interactive {
  @Equals('button') type: 'button';
  @IsOptional() @IsObject() @Nested(() => InteractiveHeader) header?: InteractiveHeader;
  @IsObject() @Nested(() => InteractiveBody) body: InteractiveBody;
  @IsObject() @Nested(() => ReplyButtonsAction) action: ReplyButtonsAction;
}

@BodySchema({ description: 'List of up to ten rows, of which the customer chooses one' })
export class ListContent extends Interactive {
  @Equals('list') type: 'list';
  @IsOptional() @IsObject() @Nested(() => InteractiveListHeader) header?: InteractiveListHeader;
  @IsObject() @Nested(() => InteractiveListBody) body: InteractiveListBody;
  @IsObject() @Nested(() => ListAction) action: ListAction;
}

@BodySchema({ description: 'Button that opens a web page' })
export class UrlButtonContent extends Interactive {
  @Equals('cta_url') type: 'cta_url';
  @IsOptional() @IsObject() @Nested(() => InteractiveHeader) header?: InteractiveHeader;
  @IsObject() @Nested(() => InteractiveBody) body: InteractiveBody;
  @IsObject() @Nested(() => UrlButtonAction) action: UrlButtonAction;
}

@BodySchema({
  description:
    'Button with which the contact shares their phone number; the platform provides its label. The reply is a message of type contacts, whose card has the origin contact_request',
})
export class RequestContactContent {
  @Equals('request_contact_info') type: 'request_contact_info';
  @IsObject() @Nested(() => InteractiveBody) body: InteractiveBody;
  @IsObject() @Nested(() => RequestContactAction) action: RequestContactAction;
}

/** Content of an interactive message (spec §3.10.1). */
export type InteractiveContent = ReplyButtonsContent | ListContent | UrlButtonContent | RequestContactContent;
const CLASSES = {
  button: ReplyButtonsContent,
  list: ListContent,
  cta_url: UrlButtonContent,
  request_contact_info: RequestContactContent,
} as const;
const INTERACTIVE_TYPES = Object.keys(CLASSES) as (keyof typeof CLASSES)[];

/** Content with an unknown `type`, whose other fields are not validated. */
class UnknownInteractive {
  @IsIn(INTERACTIVE_TYPES) type: string;
}

/** Validates an object against the class for its `type`. */
export function IsInteractive(): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [
      Either(ReplyButtonsContent, ListContent, UrlButtonContent, RequestContactContent),
      Type((message) => classOf((message as Record<string | symbol, unknown>)[name])),
      ValidateNested(),
      IsObject(),
    ])
      decorate(prototype, name);
  };
}

function classOf(content: unknown): BodyClass {
  // The generator of the API description passes an empty object.
  if (typeof content !== 'object' || content === null) return ReplyButtonsContent;
  const { type } = content as { type?: unknown };
  const known = INTERACTIVE_TYPES.find((each) => each === type);
  return known ? CLASSES[known] : UnknownInteractive;
}
