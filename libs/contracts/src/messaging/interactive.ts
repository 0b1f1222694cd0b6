import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { Alias, BodySchema, Doc, Either, ListOf, Nested } from '../body-docs';
import { Type } from '../body-values';
import type { BodyClass } from '../message-contract';
import { HasNoFault, IsStorableText, IsWebAddress } from '../validation';
import { buttonsFault, sectionsFault } from './interactive-faults';
import { FlowContent } from './interactive-flow';
import {
  Interactive,
  InteractiveBody,
  InteractiveHeader,
  InteractiveListBody,
  InteractiveListHeader,
  IsChoiceId,
  IsShownText,
  MOST,
  MOST_SECTIONS,
} from './interactive-parts';
import { ProductContent, ProductListContent } from './interactive-products';
import { RequestCallContent, RequestContactContent, RequestLocationContent } from './interactive-questions';

const MOST_BUTTONS = 3;

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

const CLASSES = {
  button: ReplyButtonsContent,
  list: ListContent,
  cta_url: UrlButtonContent,
  request_contact_info: RequestContactContent,
  location_request_message: RequestLocationContent,
  call_permission_request: RequestCallContent,
  flow: FlowContent,
  product: ProductContent,
  product_list: ProductListContent,
} as const;
/** Content of an interactive message (spec §3.10.1). */
export type InteractiveContent = InstanceType<(typeof CLASSES)[keyof typeof CLASSES]>;
const INTERACTIVE_TYPES = Object.keys(CLASSES) as (keyof typeof CLASSES)[];

/** Content with an unknown `type`, whose other fields are not validated. */
class UnknownInteractive {
  @IsIn(INTERACTIVE_TYPES) type: string;
}

/** Validates an object against the class for its `type`. */
export function IsInteractive(): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [
      Either(...Object.values(CLASSES)),
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
