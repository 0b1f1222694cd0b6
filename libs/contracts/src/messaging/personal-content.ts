import { ArrayMaxSize, IsNumber, IsObject, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Alias, Doc, ListOf, Nested } from '../body-docs';
import { Transform } from '../body-values';
import { HasNoFault, IsStorableText, MaxUnits } from '../validation';
import { MESSAGE_NAME } from './message-types';

/** Internal limit, because the platform documents none for the texts of a card or location. */
const TEXT_MAX_CHARACTERS = 1_000;
const MOST_DETAILS = 50;
/** Maximum cards per message. */
export const CARDS_MAX = 257;

const textAsNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : value;

function IsDetail(): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [MaxUnits(TEXT_MAX_CHARACTERS), IsStorableText(), IsString(), IsOptional()])
      decorate(prototype, name);
  };
}

/** Content of a location message (spec §3.10.4). */
export class LocationContent {
  @Doc('Latitude in degrees, as a number or a string', { example: 37.4422 })
  @Transform(textAsNumber)
  @IsNumber()
  @Min(-90)
  @Max(90)
  latitude: number;
  @Doc('Longitude in degrees, as a number or a string', { example: -122.1616 })
  @Transform(textAsNumber)
  @IsNumber()
  @Min(-180)
  @Max(180)
  longitude: number;
  @IsDetail() name?: string;
  @IsDetail() address?: string;
}

export class CardName {
  @Doc('Name displayed in the message', { example: 'Bo Li' })
  @Alias('formatted_name')
  @IsString()
  @IsStorableText()
  @MaxUnits(TEXT_MAX_CHARACTERS)
  formattedName: string;
  @Alias('first_name') @IsDetail() firstName?: string;
  @Alias('last_name') @IsDetail() lastName?: string;
  @Alias('middle_name') @IsDetail() middleName?: string;
  @IsDetail() suffix?: string;
  @IsDetail() prefix?: string;
}

export class CardPhone {
  @Doc('Phone number as displayed on the card', { example: '+1 555 000 3333' }) @IsDetail() phone?: string;
  @Doc('Label of the phone number', { example: 'Work' }) @IsDetail() type?: string;
  @Doc(
    "Phone number of the contact's platform account. If set, the card offers a chat; otherwise it offers an invitation to the platform",
    {
      example: '15550003333',
    },
  )
  @Alias('wa_id')
  @IsDetail()
  waId?: string;
}

export class CardEmail {
  @IsDetail() email?: string;
  @IsDetail() type?: string;
}

export class CardUrl {
  @IsDetail() url?: string;
  @IsDetail() type?: string;
}

export class CardAddress {
  @IsDetail() street?: string;
  @IsDetail() city?: string;
  @IsDetail() state?: string;
  @IsDetail() zip?: string;
  @IsDetail() country?: string;
  @Doc('Two-letter ISO country code', { example: 'US' }) @Alias('country_code') @IsDetail() countryCode?: string;
  @IsDetail() type?: string;
}

export class CardOrganisation {
  @IsDetail() company?: string;
  @IsDetail() department?: string;
  @IsDetail() title?: string;
}

/** Contact card (spec §3.10.4). */
export class ContactCard {
  @IsObject() @Nested(() => CardName) name: CardName;
  @IsOptional()
  @ArrayMaxSize(MOST_DETAILS)
  @IsObject({ each: true })
  @ListOf(() => CardPhone)
  phones?: CardPhone[];
  @IsOptional()
  @ArrayMaxSize(MOST_DETAILS)
  @IsObject({ each: true })
  @ListOf(() => CardEmail)
  emails?: CardEmail[];
  @IsOptional() @ArrayMaxSize(MOST_DETAILS) @IsObject({ each: true }) @ListOf(() => CardUrl) urls?: CardUrl[];
  @IsOptional()
  @ArrayMaxSize(MOST_DETAILS)
  @IsObject({ each: true })
  @ListOf(() => CardAddress)
  addresses?: CardAddress[];
  @IsOptional() @IsObject() @Nested(() => CardOrganisation) org?: CardOrganisation;
  @Doc('Birthday in the format YYYY-MM-DD', { example: '1999-01-23' })
  @IsOptional()
  @IsString()
  @MaxLength(10)
  @Matches(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { message: '$property must be a date: YYYY-MM-DD' })
  birthday?: string;
}

/** Maximum length of an emoji sequence, in UTF-16 units. */
const EMOJI_MAX_CHARACTERS = 40;

/** Content of a reaction to a message from the recipient (spec §3.10.6). */
export class ReactionContent {
  @Doc('ID of the message to react to, from the service or the upstream platform', {
    example: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUQUJD',
  })
  @Alias('message_id')
  @IsString()
  @Matches(MESSAGE_NAME, { message: '$property must be the id of a message' })
  messageId: string;
  @Doc('Emoji of the reaction; an empty string removes the reaction', { example: '👍' })
  @IsString()
  @IsStorableText()
  @MaxLength(EMOJI_MAX_CHARACTERS)
  @HasNoFault(emojiFault)
  emoji: string;
}

/** Message that a reply refers to (spec §3.10.7). */
export class ReplyContext {
  @Doc('ID of the message to reply to, from the service or the upstream platform', {
    example: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUQUJD',
  })
  @Alias('message_id')
  @IsString()
  @Matches(MESSAGE_NAME, { message: '$property must be the id of a message' })
  messageId: string;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u;

function emojiFault(emoji: unknown): string | undefined {
  if (typeof emoji !== 'string' || emoji === '') return undefined;
  // A long text is rejected for its length.
  if (emoji.length > EMOJI_MAX_CHARACTERS) return undefined;
  const [first] = graphemes.segment(emoji);
  return first?.segment === emoji && EMOJI.test(emoji)
    ? undefined
    : 'must be one emoji, or empty to take the reaction back';
}

/** Rejects types for which the platform shows no quoted message, since the reply would appear without context. */
export function contextFault(_context: unknown, { type }: Record<string, unknown>): string | undefined {
  if (type === 'template') return 'is not for templates: the upstream platform shows no quoted message there';
  return type === 'reaction' ? 'is not for reactions: reaction.messageId names their message' : undefined;
}
