import { IsBoolean, IsInt, IsNumber, IsObject, IsOptional, IsString } from 'class-validator';
import { ANY_OBJECT, BodySchema, Doc, Either, ListOf, Nested, OrNull } from '../body-docs';
import { FORM_RESPONSE_MAX_CHARACTERS, FORM_RESPONSE_MAX_DEPTH } from '../messaging/form-response';

/** Text of a message. */
export class ShownText {
  @IsString() body: string;
}

/** Media file of a message. A file sent by link has only the link; a received or uploaded file has an id. */
export class ShownMedia {
  @Doc('ID of the file for `GET /v1/media/{id}`') @IsOptional() @IsString() id?: string;
  @Doc('URL of the file. Downloading a received file requires the API key') @IsOptional() @IsString() link?: string;
  @IsOptional() @IsString() mimeType?: string;
  @Doc('Size of the stored file; only in records of messages') @IsOptional() @IsInt() bytes?: number;
  @IsOptional() @IsString() sha256?: string;
  @IsOptional() @IsString() caption?: string;
  @IsOptional() @IsString() filename?: string;
  @Doc('Whether the audio was recorded as a voice message') @IsOptional() @IsBoolean() voice?: boolean;
  @Doc('Whether the sticker is animated') @IsOptional() @IsBoolean() animated?: boolean;
}

export class ShownLocation {
  @Doc(undefined, { example: 37.4422 }) @IsNumber() latitude: number;
  @Doc(undefined, { example: -122.1616 }) @IsNumber() longitude: number;
  @IsOptional() @IsString() name?: string;
  @IsOptional() @IsString() address?: string;
  @Doc('URL of a web page about the location') @IsOptional() @IsString() url?: string;
}

export class ShownCardName {
  @Doc('Full name of the contact', { example: 'Bo Li' }) @IsOptional() @IsString() formattedName?: string;
  @IsOptional() @IsString() firstName?: string;
  @IsOptional() @IsString() lastName?: string;
  @IsOptional() @IsString() middleName?: string;
  @IsOptional() @IsString() prefix?: string;
  @IsOptional() @IsString() suffix?: string;
}

export class ShownCardPhone {
  @Doc('Phone number as displayed on the card', { example: '+1 (555) 000-3333' })
  @IsOptional()
  @IsString()
  phone?: string;
  @Doc("Phone number of the contact's platform account; absent if the number has no account", {
    example: '15550003333',
  })
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

export class ShownCard {
  @IsOptional() @IsObject() @Nested(() => ShownCardName) name?: ShownCardName;
  @IsOptional() @ListOf(() => ShownCardPhone) phones?: ShownCardPhone[];
  @IsOptional() @ListOf(() => ShownCardEmail) emails?: ShownCardEmail[];
  @IsOptional() @ListOf(() => ShownCardUrl) urls?: ShownCardUrl[];
  @IsOptional() @ListOf(() => ShownCardAddress) addresses?: ShownCardAddress[];
  @IsOptional() @IsObject() @Nested(() => ShownCardOrganisation) org?: ShownCardOrganisation;
  @Doc('Birthday in the format YYYY-MM-DD') @IsOptional() @IsString() birthday?: string;
  @Doc(
    "Origin of the card: `contact_request` for a customer's own card that you requested; otherwise absent or another value",
    {
      example: 'contact_request',
    },
  )
  @IsOptional()
  @IsString()
  origin?: string;
}

@BodySchema({ description: 'Button of a template, pressed by the customer' })
export class PressedButton {
  @Doc('Text on the button', { example: 'Stop promotions' }) @IsString() text: string;
  @Doc('Payload set for the button in the send; defaults to the text of the button', { example: 'Stop promotions' })
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

@BodySchema({ description: 'Form submitted by the customer: a completed flow or an address' })
export class FilledForm {
  @Doc('Submitted values as a JSON string, with fields defined by the flow', {
    example: '{"flow_token":"x","size":"M"}',
  })
  @IsString()
  responseJson: string;
  @Doc(
    `Values of \`responseJson\` as an object; null if the text is not a JSON object, is longer than ${FORM_RESPONSE_MAX_CHARACTERS} characters or has more than ${FORM_RESPONSE_MAX_DEPTH} levels`,
    { example: { flow_token: 'x', size: 'M' } },
  )
  @OrNull()
  @IsObject()
  @Either(ANY_OBJECT)
  response: object | null;
  @Doc(undefined, { example: 'flow' }) @IsOptional() @IsString() name?: string;
  @Doc('Text displayed in the chat for the form', { example: 'Sent' }) @IsOptional() @IsString() body?: string;
}

@BodySchema({ description: "Customer's reply to a call permission request" })
export class CallPermission {
  @Doc('`accept` or `reject`; the platform may add values', { example: 'accept' }) @IsString() response: string;
  @Doc('Whether the permission is permanent') @IsOptional() @IsBoolean() isPermanent?: boolean;
  @Doc('Expiration of the permission in seconds since 1970; absent if it is permanent', { example: 1_790_416_812 })
  @IsOptional()
  @IsNumber()
  expirationTimestamp?: number;
  @Doc('`user_action`, or `automatic` for a permission granted by a call to the business', { example: 'user_action' })
  @IsOptional()
  @IsString()
  responseSource?: string;
}

@BodySchema({
  description: 'Reply to an interactive message, in the field named by `type`',
  example: () => ({ type: 'button_reply', buttonReply: { id: 'tomorrow', title: 'Tomorrow' } }),
})
export class InteractiveReply {
  @Doc(
    'Type of the reply: `button_reply`, `list_reply`, `nfm_reply` (a submitted form) or `call_permission_reply`; the platform may add types',
    {
      example: 'button_reply',
    },
  )
  @IsString()
  type: string;
  @Doc('Button that the customer pressed; present for type `button_reply`')
  @IsOptional()
  @IsObject()
  @Nested(() => ChosenButton)
  buttonReply?: ChosenButton;
  @Doc('Row that the customer chose; present for type `list_reply`')
  @IsOptional()
  @IsObject()
  @Nested(() => ChosenRow)
  listReply?: ChosenRow;
  @Doc('Form that the customer submitted; present for type `nfm_reply`')
  @IsOptional()
  @IsObject()
  @Nested(() => FilledForm)
  nfmReply?: FilledForm;
  @Doc('Reply to a call permission request; present for type `call_permission_reply`')
  @IsOptional()
  @IsObject()
  @Nested(() => CallPermission)
  callPermissionReply?: CallPermission;
}

export class ShownInteractiveText {
  @IsString() text: string;
}

@BodySchema({
  description:
    'Reply from a customer (`buttonReply`, `listReply`, `nfmReply` or `callPermissionReply`), or a sent message with choices, in the format of the send request',
})
export class ShownInteractive extends InteractiveReply {
  @Doc('Type of the reply, or of the interactive message that was sent', { example: 'button_reply' })
  @IsString()
  override type: string;
  @Doc('Header of a sent message; absent for a reply') @IsOptional() @IsObject() header?: object;
  @Doc('Body of a sent message; absent for a reply')
  @IsOptional()
  @IsObject()
  @Nested(() => ShownInteractiveText)
  body?: ShownInteractiveText;
  @Doc('Footer of a sent message; absent for a reply')
  @IsOptional()
  @IsObject()
  @Nested(() => ShownInteractiveText)
  footer?: ShownInteractiveText;
  @Doc('Buttons, list, products or other choices of a sent message; absent for a reply')
  @IsOptional()
  @IsObject()
  action?: object;
}

/** Reaction to a message, or the removal of a reaction. */
export class ShownReaction {
  @Doc('ID at the upstream platform of the message reacted to') @IsString() messageId: string;
  @Doc('Emoji of the reaction; empty if the reaction was removed', { example: '👍' }) @IsString() emoji: string;
}

export class OrderedProduct {
  @Doc('ID of the product in your catalog', { example: 'di9ozbzfi4' }) @IsString() productRetailerId: string;
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

/** Details of a message that the service cannot show. */
export class ShownUnsupported {
  @Doc('Type of the message at the upstream platform', { example: 'poll_creation' }) @IsString() type: string;
  @Doc('Type of the notice that a contact has a new number or user id; present only if `type` is `system`', {
    example: 'user_changed_number',
  })
  @IsOptional()
  @IsString()
  notice?: string;
  @Doc('New phone number of the contact') @IsOptional() @IsString() phone?: string;
  @Doc('New ID of the contact at the upstream platform') @IsOptional() @IsString() userId?: string;
}

export class ReferredProduct {
  @IsOptional() @IsString() catalogId?: string;
  @Doc('ID of the product in your catalog') @IsOptional() @IsString() productRetailerId?: string;
}

export class WelcomeMessage {
  @IsOptional() @IsString() text?: string;
}

export const REFERRAL_DOC = 'Advertisement or post that led the customer to you; usually absent';

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
  @Doc('Source of the referral: `ad` or `post`', { example: 'ad' }) @IsOptional() @IsString() sourceType?: string;
  @Doc('ID of the advertisement or post') @IsOptional() @IsString() sourceId?: string;
  @IsOptional() @IsString() sourceUrl?: string;
  @IsOptional() @IsString() headline?: string;
  @IsOptional() @IsString() body?: string;
  @Doc('Media type of the advertisement: `image` or `video`') @IsOptional() @IsString() mediaType?: string;
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
