import { IsBoolean, IsNumber, IsObject, IsOptional, IsString } from 'class-validator';
import { BodySchema, Doc, ListOf, Nested } from '../body-docs';

/** Text of a message. */
export class ShownText {
  @IsString() body: string;
}

/** File of a message that is shown: one sent by link has the link, one received or uploaded has an id. */
export class ShownMedia {
  @Doc('ID for `GET /v1/media/{id}`') @IsOptional() @IsString() id?: string;
  @Doc('For received files: URL for a download with the API key') @IsOptional() @IsString() link?: string;
  @IsOptional() @IsString() mimeType?: string;
  @IsOptional() @IsString() sha256?: string;
  @IsOptional() @IsString() caption?: string;
  @IsOptional() @IsString() filename?: string;
  @Doc('For audio: whether it was recorded as a voice message') @IsOptional() @IsBoolean() voice?: boolean;
  @Doc('For stickers: whether it is animated') @IsOptional() @IsBoolean() animated?: boolean;
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
  @Doc('Full name', { example: 'Bo Li' }) @IsOptional() @IsString() formattedName?: string;
  @IsOptional() @IsString() firstName?: string;
  @IsOptional() @IsString() lastName?: string;
  @IsOptional() @IsString() middleName?: string;
  @IsOptional() @IsString() prefix?: string;
  @IsOptional() @IsString() suffix?: string;
}

export class ShownCardPhone {
  @Doc('Formatted phone number', { example: '+1 (555) 000-3333' }) @IsOptional() @IsString() phone?: string;
  @Doc('Number of the account on the platform; absent for a number without an account', { example: '15550003333' })
  @IsOptional()
  @IsString()
  waId?: string;
  @Doc('ID of the contact at the upstream platform') @IsOptional() @IsString() userId?: string;
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
  @Doc("`contact_request` for a customer's own card that you requested; otherwise absent or another value", {
    example: 'contact_request',
  })
  @IsOptional()
  @IsString()
  origin?: string;
}

@BodySchema({ description: 'Button of a template, pressed by the customer' })
export class PressedButton {
  @Doc('Text on the button', { example: 'Stop promotions' }) @IsString() text: string;
  @Doc('Payload set in the send, or else the text of the button', { example: 'Stop promotions' })
  @IsOptional()
  @IsString()
  payload?: string;
}

@BodySchema({ description: 'Reply button pressed by the customer' })
export class ChosenButton {
  @Doc('ID of the button, as set in the message with the buttons', { example: 'tomorrow' }) @IsString() id: string;
  @Doc('Text on the button', { example: 'Tomorrow' }) @IsString() title: string;
}

@BodySchema({ description: 'List row chosen by the customer' })
export class ChosenRow {
  @Doc('ID of the row, as set in the message with the list', { example: 'express' }) @IsString() id: string;
  @Doc(undefined, { example: 'Express' }) @IsString() title: string;
  @Doc(undefined, { example: '1-2 days' }) @IsOptional() @IsString() description?: string;
}

@BodySchema({ description: 'Form submitted by the customer: the end of a flow, or an address' })
export class FilledForm {
  @Doc('Responses as a JSON string; its fields are defined by the flow', { example: '{"flow_token":"x","size":"M"}' })
  @IsString()
  responseJson: string;
  @Doc(undefined, { example: 'flow' }) @IsOptional() @IsString() name?: string;
  @Doc('Text displayed in the chat for the form', { example: 'Sent' }) @IsOptional() @IsString() body?: string;
}

@BodySchema({
  description: 'Reply to an interactive message, in the field named by `type`',
  example: () => ({ type: 'button_reply', buttonReply: { id: 'tomorrow', title: 'Tomorrow' } }),
})
export class InteractiveReply {
  @Doc('`button_reply`, `list_reply` or `nfm_reply` (a submitted form); the platform may add types', {
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
    'Reply of a customer (`buttonReply`, `listReply` or `nfmReply`), or a sent message with choices in the format of the send',
})
export class ShownInteractive extends InteractiveReply {
  @Doc('Type of the reply, or of the sent message', { example: 'button_reply' })
  @IsString()
  override type: string;
  @Doc('Only for a sent message') @IsOptional() @IsObject() header?: object;
  @Doc('Only for a sent message')
  @IsOptional()
  @IsObject()
  @Nested(() => ShownInteractiveText)
  body?: ShownInteractiveText;
  @Doc('Only for a sent message')
  @IsOptional()
  @IsObject()
  @Nested(() => ShownInteractiveText)
  footer?: ShownInteractiveText;
  @Doc('Only for a sent message: its buttons, list or page') @IsOptional() @IsObject() action?: object;
}

/** Reaction to a message, or its withdrawal. */
export class ShownReaction {
  @Doc('ID of the message at the upstream platform') @IsString() messageId: string;
  @Doc('One emoji; empty if the reaction was removed', { example: '👍' }) @IsString() emoji: string;
}

export class OrderedProduct {
  @Doc('Your ID of the product', { example: 'di9ozbzfi4' }) @IsString() productRetailerId: string;
  @Doc(undefined, { example: 2 }) @IsNumber() quantity: number;
  @Doc('Price per item', { example: 30 }) @IsNumber() itemPrice: number;
  @Doc(undefined, { example: 'USD' }) @IsString() currency: string;
}

/** Products that a customer ordered from a catalog. */
export class ShownOrder {
  @IsString() catalogId: string;
  @Doc('Text that the customer added to the order') @IsOptional() @IsString() text?: string;
  @ListOf(() => OrderedProduct) productItems: OrderedProduct[];
}

/** Known facts about a message that the service cannot show. */
export class ShownUnsupported {
  @Doc('Type of the message at the upstream platform', { example: 'poll_creation' }) @IsString() type: string;
  @Doc('For a notice (`type` is `system`) that a contact has a new number or user id: its type', {
    example: 'user_changed_number',
  })
  @IsOptional()
  @IsString()
  notice?: string;
  @Doc('New phone number') @IsOptional() @IsString() phone?: string;
  @Doc('New ID of the contact at the upstream platform') @IsOptional() @IsString() userId?: string;
}

export class ReferredProduct {
  @IsOptional() @IsString() catalogId?: string;
  @Doc('Your ID of the product') @IsOptional() @IsString() productRetailerId?: string;
}

export class WelcomeMessage {
  @IsOptional() @IsString() text?: string;
}

export const REFERRAL_DOC = 'The advertisement or post that led the customer here; usually absent';

@BodySchema({
  description:
    'Advertisement or post from which the customer started the chat. Fields that the platform omits are absent',
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
  @Doc('ID of the advertisement or post') @IsOptional() @IsString() sourceId?: string;
  @IsOptional() @IsString() sourceUrl?: string;
  @IsOptional() @IsString() headline?: string;
  @IsOptional() @IsString() body?: string;
  @Doc('`image` or `video`') @IsOptional() @IsString() mediaType?: string;
  @IsOptional() @IsString() imageUrl?: string;
  @IsOptional() @IsString() videoUrl?: string;
  @IsOptional() @IsString() thumbnailUrl?: string;
  @Doc("Click ID of the advertisement, for the platform's Conversions API")
  @IsOptional()
  @IsString()
  ctwaClid?: string;
  @Doc('Greeting shown in the advertisement')
  @IsOptional()
  @IsObject()
  @Nested(() => WelcomeMessage)
  welcomeMessage?: WelcomeMessage;
}
