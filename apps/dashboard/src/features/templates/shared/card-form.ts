import { type ButtonForm, buttonOf, isKnownButton, toButton, toButtonForm } from './button-form';
import { inWords, isJson, isOneOf, type Json, listOf, textOf } from './form-values';
import { bodySamplesOf, toBody } from './text-form';

const CARD_HEADERS = ['IMAGE', 'VIDEO'] as const;
const CARD_PARTS = ['HEADER', 'BODY', 'BUTTONS'];

export interface CardForm {
  /** React key: cards can be moved and removed during uploads. */
  key: number;
  header: (typeof CARD_HEADERS)[number];
  /** ID of an uploaded sample, or the URL that WhatsApp lists. */
  headerFile: string;
  hasBody: boolean;
  body: string;
  /** Samples by variable name. */
  bodySamples: Record<string, string>;
  buttons: ButtonForm[];
}

export const newCard = (key: number): CardForm => ({
  key,
  header: 'IMAGE',
  headerFile: '',
  hasBody: true,
  body: '',
  bodySamples: {},
  buttons: [buttonOf('URL')],
});

/** Returns an empty card with the same structure as the others. */
export function cardLike(cards: readonly CardForm[]): CardForm {
  const key = Math.max(-1, ...cards.map((card) => card.key)) + 1;
  const [first] = cards;
  if (!first) return newCard(key);
  const { header, hasBody, buttons } = first;
  const empty = buttons.map(({ type, text }) => ({ type, text, value: '', sample: '' }));
  return { ...newCard(key), header, hasBody, buttons: empty };
}

export function toCarousel(cards: readonly CardForm[]): Json {
  return {
    type: 'CAROUSEL',
    cards: cards.map(({ header, headerFile, hasBody, body, bodySamples, buttons }) => ({
      components: [
        { type: 'HEADER', format: header, ...(headerFile !== '' && { example: { header_handle: [headerFile] } }) },
        ...(hasBody ? [toBody(body, bodySamples)] : []),
        ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(toButton) }]),
      ],
    })),
  };
}

const cardsOf = ({ cards }: Json): Json[][] =>
  listOf(cards).map((card) => (isJson(card) ? listOf(card.components).filter(isJson) : []));

const partOf = (card: readonly Json[], type: string): Json => card.find((part) => part.type === type) ?? {};

/** Converts a stored carousel to form state; the inverse of `toCarousel`. */
export function toCardForms(carousel: Json): CardForm[] {
  return cardsOf(carousel).map((card, key) => {
    const [header, body] = [partOf(card, 'HEADER'), partOf(card, 'BODY')];
    const example = isJson(header.example) ? header.example : {};
    return {
      ...newCard(key),
      header: header.format === 'VIDEO' ? 'VIDEO' : 'IMAGE',
      headerFile: textOf(listOf(example.header_handle)[0]),
      hasBody: body.type !== undefined,
      body: textOf(body.text),
      bodySamples: bodySamplesOf(body),
      buttons: listOf(partOf(card, 'BUTTONS').buttons).filter(isJson).map(toButtonForm),
    };
  });
}

/** Returns descriptions of card parts that the editor does not support, without duplicates. */
export function unknownOfCards(carousel: Json): string[] {
  const unknown = cardsOf(carousel).flatMap((card) => [
    ...card.filter(({ type }) => !isOneOf(CARD_PARTS, type)).map(({ type }) => `a card with a ${inWords(type)}`),
    ...card
      .filter(({ type, format }) => type === 'HEADER' && !isOneOf(CARD_HEADERS, format))
      .map(({ format }) => `a card with a header of type ${inWords(format)}`),
    ...listOf(partOf(card, 'BUTTONS').buttons)
      .filter(isJson)
      .filter((button) => !isKnownButton(button))
      .map(({ type }) => `a card with a button of type ${inWords(type)}`),
  ]);
  return [...new Set(unknown)];
}
