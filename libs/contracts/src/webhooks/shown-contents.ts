import { IsBoolean, IsNumber, IsObject, IsOptional, IsString } from 'class-validator';
import { BodySchema, Doc, ListOf, Nested } from '../body-docs';

/** Text of a message. */
export class ShownText {
  @IsString() body: string;
}

/** File of a message that is shown: one sent by link has the link, one received or uploaded has an id. */
export class ShownMedia {
  @Doc('For `GET /v1/media/{id}`') @IsOptional() @IsString() id?: string;
  @Doc('Of a file that came in: fetched with the API key') @IsOptional() @IsString() link?: string;
  @IsOptional() @IsString() mimeType?: string;
  @IsOptional() @IsString() sha256?: string;
  @IsOptional() @IsString() caption?: string;
  @IsOptional() @IsString() filename?: string;
  @Doc('Of an audio: recorded as a voice message') @IsOptional() @IsBoolean() voice?: boolean;
  @Doc('Of a sticker: animated') @IsOptional() @IsBoolean() animated?: boolean;
}

/** Place on a map. */
export class ShownLocation {
  @Doc(undefined, { example: 37.4422 }) @IsNumber() latitude: number;
  @Doc(undefined, { example: -122.1616 }) @IsNumber() longitude: number;
  @IsOptional() @IsString() name?: string;
  @IsOptional() @IsString() address?: string;
  @Doc('Web page of the place') @IsOptional() @IsString() url?: string;
}

export class ShownCardName {
  @Doc('The whole name', { example: 'Bo Li' }) @IsOptional() @IsString() formattedName?: string;
  @IsOptional() @IsString() firstName?: string;
  @IsOptional() @IsString() lastName?: string;
  @IsOptional() @IsString() middleName?: string;
  @IsOptional() @IsString() prefix?: string;
  @IsOptional() @IsString() suffix?: string;
}

export class ShownCardPhone {
  @Doc('As people write it', { example: '+1 (555) 000-3333' }) @IsOptional() @IsString() phone?: string;
  @Doc('Phone number on the platform; absent for a number without an account there', { example: '15550003333' })
  @IsOptional()
  @IsString()
  waId?: string;
  @Doc("The upstream platform's id of the person") @IsOptional() @IsString() userId?: string;
  @Doc(undefined, { example: 'MOBILE' }) @IsOptional() @IsString() type?: string;
}

export class ShownCardEmail {
  @IsOptional() @IsString() email?: string;
  @IsOptional() @IsString() type?: string;
}

export class ShownCardUrl {
  @IsOptional() @IsString() url?: string;
  @IsOptional() @IsString() type?: string;
}

export class ShownCardAddress {
  @IsOptional() @IsString() street?: string;
  @IsOptional() @IsString() city?: string;
  @IsOptional() @IsString() state?: string;
  @IsOptional() @IsString() zip?: string;
  @IsOptional() @IsString() country?: string;
  @IsOptional() @IsString() countryCode?: string;
  @IsOptional() @IsString() type?: string;
}

export class ShownCardOrganisation {
  @IsOptional() @IsString() company?: string;
  @IsOptional() @IsString() department?: string;
  @IsOptional() @IsString() title?: string;
}

/** Contact card. */
export class ShownCard {
  @IsOptional() @IsObject() @Nested(() => ShownCardName) name?: ShownCardName;
  @IsOptional() @ListOf(() => ShownCardPhone) phones?: ShownCardPhone[];
  @IsOptional() @ListOf(() => ShownCardEmail) emails?: ShownCardEmail[];
  @IsOptional() @ListOf(() => ShownCardUrl) urls?: ShownCardUrl[];
  @IsOptional() @ListOf(() => ShownCardAddress) addresses?: ShownCardAddress[];
  @IsOptional() @IsObject() @Nested(() => ShownCardOrganisation) org?: ShownCardOrganisation;
  @Doc('YYYY-MM-DD') @IsOptional() @IsString() birthday?: string;
  @Doc('`contact_request` for the own card of a customer whom you asked for it; absent or another word otherwise', {
    example: 'contact_request',
  })
  @IsOptional()
  @IsString()
  origin?: string;
}

@BodySchema({ description: 'Button of a template that the customer pressed' })
export class PressedButton {
  @Doc('Text on the button', { example: 'Stop promotions' }) @IsString() text: string;
  @Doc('Payload that the send gave the button, or the text again', { example: 'Stop promotions' })
  @IsOptional()
  @IsString()
  payload?: string;
}

@BodySchema({ description: 'Reply button that the customer pressed' })
export class ChosenButton {
  @Doc('Id of the button, from the message with the buttons', { example: 'tomorrow' }) @IsString() id: string;
  @Doc('Text on the button', { example: 'Tomorrow' }) @IsString() title: string;
}

@BodySchema({ description: 'Row of a list that the customer chose' })
export class ChosenRow {
  @Doc('Id of the row, from the message with the list', { example: 'express' }) @IsString() id: string;
  @Doc(undefined, { example: 'Express' }) @IsString() title: string;
  @Doc(undefined, { example: '1-2 days' }) @IsOptional() @IsString() description?: string;
}

@BodySchema({ description: 'Form that the customer filled in: the end of a flow, or an address' })
export class FilledForm {
  @Doc('Answers as a JSON text; its fields are those of the flow', { example: '{"flow_token":"x","size":"M"}' })
  @IsString()
  responseJson: string;
  @Doc(undefined, { example: 'flow' }) @IsOptional() @IsString() name?: string;
  @Doc('Text that the chat shows for the form', { example: 'Sent' }) @IsOptional() @IsString() body?: string;
}

@BodySchema({
  description: 'Answer to an interactive message. The answer is in the field that `type` names',
  example: () => ({ type: 'button_reply', buttonReply: { id: 'tomorrow', title: 'Tomorrow' } }),
})
export class InteractiveReply {
  @Doc('`button_reply`, `list_reply` or `nfm_reply` (a filled form); the platform may add kinds', {
    example: 'button_reply',
  })
  @IsString()
  type: string;
  @Doc('Present for `button_reply`') @IsOptional() @IsObject() @Nested(() => ChosenButton) buttonReply?: ChosenButton;
  @Doc('Present for `list_reply`') @IsOptional() @IsObject() @Nested(() => ChosenRow) listReply?: ChosenRow;
  @Doc('Present for `nfm_reply`') @IsOptional() @IsObject() @Nested(() => FilledForm) nfmReply?: FilledForm;
}

export class ShownInteractiveText {
  @IsString() text: string;
}

@BodySchema({
  description:
    'Answer of a customer (`buttonReply`, `listReply` or `nfmReply`), or a message with choices in the form of the send',
})
export class ShownInteractive extends InteractiveReply {
  @Doc('Kind of the answer, or of the message that was sent', { example: 'button_reply' })
  @IsString()
  override type: string;
  @Doc('Of a message that was sent') @IsOptional() @IsObject() header?: object;
  @Doc('Of a message that was sent')
  @IsOptional()
  @IsObject()
  @Nested(() => ShownInteractiveText)
  body?: ShownInteractiveText;
  @Doc('Of a message that was sent')
  @IsOptional()
  @IsObject()
  @Nested(() => ShownInteractiveText)
  footer?: ShownInteractiveText;
  @Doc('Of a message that was sent: its buttons, its list or its page') @IsOptional() @IsObject() action?: object;
}

/** Reaction to a message, or its withdrawal. */
export class ShownReaction {
  @Doc("The upstream platform's identifier of the message") @IsString() messageId: string;
  @Doc('One emoji; empty where the reaction was withdrawn', { example: '👍' }) @IsString() emoji: string;
}

export class OrderedProduct {
  @Doc('Your id of the product', { example: 'di9ozbzfi4' }) @IsString() productRetailerId: string;
  @Doc(undefined, { example: 2 }) @IsNumber() quantity: number;
  @Doc('Price of one', { example: 30 }) @IsNumber() itemPrice: number;
  @Doc(undefined, { example: 'USD' }) @IsString() currency: string;
}

/** Products that a customer ordered from a catalog. */
export class ShownOrder {
  @IsString() catalogId: string;
  @Doc('What the customer wrote beside the order') @IsOptional() @IsString() text?: string;
  @ListOf(() => OrderedProduct) productItems: OrderedProduct[];
}

/** Known facts about a message that the service cannot show. */
export class ShownUnsupported {
  @Doc('What the upstream platform calls its kind', { example: 'poll_creation' }) @IsString() type: string;
  @Doc('Of a notice (`type` is `system`) that a person has another number or user id: its kind', {
    example: 'user_changed_number',
  })
  @IsOptional()
  @IsString()
  notice?: string;
  @Doc('The new phone number') @IsOptional() @IsString() phone?: string;
  @Doc("The upstream platform's new id of the person") @IsOptional() @IsString() userId?: string;
}

export class ReferredProduct {
  @IsOptional() @IsString() catalogId?: string;
  @Doc('Your id of the product') @IsOptional() @IsString() productRetailerId?: string;
}

export class WelcomeMessage {
  @IsOptional() @IsString() text?: string;
}

export const REFERRAL_DOC = 'The advertisement or post that led the customer here; absent as a rule';

@BodySchema({
  description:
    'Advertisement or post from which the customer started the chat. A field that the platform left out is absent',
  example: () => ({
    sourceType: 'ad',
    sourceId: '120226305854810726',
    sourceUrl: 'https://fb.me/x',
    headline: 'Chat with us',
    body: 'Our spring sale',
    mediaType: 'image',
    imageUrl: 'https://example.com/ad.jpg',
    ctwaClid: 'Aff-x',
  }),
})
export class Referral {
  @Doc('`ad` or `post`', { example: 'ad' }) @IsOptional() @IsString() sourceType?: string;
  @Doc('Id of the advertisement or post') @IsOptional() @IsString() sourceId?: string;
  @IsOptional() @IsString() sourceUrl?: string;
  @IsOptional() @IsString() headline?: string;
  @IsOptional() @IsString() body?: string;
  @Doc('`image` or `video`') @IsOptional() @IsString() mediaType?: string;
  @IsOptional() @IsString() imageUrl?: string;
  @IsOptional() @IsString() videoUrl?: string;
  @IsOptional() @IsString() thumbnailUrl?: string;
  @Doc('Click id of the advertisement, for the Conversions API of the platform')
  @IsOptional()
  @IsString()
  ctwaClid?: string;
  @Doc('Greeting that the advertisement showed')
  @IsOptional()
  @IsObject()
  @Nested(() => WelcomeMessage)
  welcomeMessage?: WelcomeMessage;
}
