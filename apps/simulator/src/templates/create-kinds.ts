import type { UpstreamTemplateButton, UpstreamTemplateComponent } from '@switchboard/upstream';
import { invalidParameter } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import { checkLength } from './create-text';

const MAX_OFFER = 16;
const MAX_OFFER_BODY = 600;
const MIN_CARDS = 2;
const MAX_CARDS = 10;
const MAX_CARD_BODY = 160;
const CARD_HEADERS = ['IMAGE', 'VIDEO', 'PRODUCT'];
const CARD_BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'SPM'];

const partOf = (
  components: readonly UpstreamTemplateComponent[],
  type: string,
): UpstreamTemplateComponent | undefined => components.find((component) => component.type === type);

const typesOf = (component: UpstreamTemplateComponent | undefined): string[] =>
  (component?.buttons ?? []).map(({ type }) => type);

/** @throws GraphError 100 unless it is a valid offer of a new template */
export function readOffer({ limited_time_offer: offer }: JsonObject): UpstreamTemplateComponent {
  if (!isObject(offer)) throw invalidParameter('The parameter limited_time_offer is required.');
  const { text, has_expiration: hasExpiration = false } = offer;
  checkLength('text of a limited-time offer', text, MAX_OFFER);
  if (typeof hasExpiration !== 'boolean') throw invalidParameter('Param has_expiration must be a boolean.');
  return { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text, has_expiration: hasExpiration } };
}

/**
 * Parses the cards of a new carousel.
 * @param read parses the components of a card
 * @throws GraphError 100 if a card is invalid, the number of cards is out of range, or the cards differ in structure
 */
export function readCarousel(
  { cards: given }: JsonObject,
  read: (components: unknown) => UpstreamTemplateComponent[],
): UpstreamTemplateComponent {
  if (!Array.isArray(given) || given.length < MIN_CARDS || given.length > MAX_CARDS || !given.every(isObject))
    throw invalidParameter(`A carousel must have ${MIN_CARDS} to ${MAX_CARDS} cards.`);
  const cards = given.map((card: JsonObject) => read(card.components));
  cards.forEach(checkCard);
  const shapes = new Set(cards.map(shapeOf));
  if (shapes.size > 1) throw invalidParameter('All cards of a carousel must have the same components.');
  return { type: 'CAROUSEL', cards: cards.map((components) => ({ components })) };
}

function checkCard(card: UpstreamTemplateComponent[]): void {
  if (!CARD_HEADERS.includes(partOf(card, 'HEADER')?.format ?? ''))
    throw invalidParameter('A card needs a header of format IMAGE, VIDEO or PRODUCT.');
  if (partOf(card, 'FOOTER')) throw invalidParameter('A card can not have a footer.');
  const body = partOf(card, 'BODY');
  if (body) checkLength('body of a card', body.text, MAX_CARD_BODY);
  const types = typesOf(partOf(card, 'BUTTONS'));
  if (types.length < 1 || types.length > 2 || !types.every((type) => CARD_BUTTONS.includes(type)))
    throw invalidParameter('A card needs 1 or 2 buttons that open an address, call a number or reply.');
}

function shapeOf(card: UpstreamTemplateComponent[]): string {
  return JSON.stringify([
    partOf(card, 'HEADER')?.format,
    partOf(card, 'BODY') !== undefined,
    typesOf(partOf(card, 'BUTTONS')),
  ]);
}

/** @throws GraphError 100 unless the components of a new template can be combined */
export function checkKind(category: string, components: readonly UpstreamTemplateComponent[]): void {
  const types = components.map(({ type }) => type);
  const buttons = typesOf(partOf(components, 'BUTTONS'));
  const isCarousel = types.includes('CAROUSEL');
  const isOffer = types.includes('LIMITED_TIME_OFFER');
  const sells = buttons.includes('CATALOG') || buttons.includes('MPM');
  const isProduct = buttons.includes('SPM') || partOf(components, 'HEADER')?.format === 'PRODUCT';
  const isGif = partOf(components, 'HEADER')?.format === 'GIF';
  if ((isCarousel || isOffer || sells || isProduct || isGif) && category !== 'MARKETING')
    throw invalidParameter('Templates of this type must be of category MARKETING.');
  if (isCarousel && types.some((type) => type !== 'BODY' && type !== 'CAROUSEL'))
    throw invalidParameter('A carousel template has a body and a carousel only.');
  if (isOffer) checkOffer(components, buttons.join());
  if (sells && buttons.length > 1) throw invalidParameter('A catalog or MPM button must be the only button.');
  if (buttons.includes('CATALOG') && types.includes('HEADER'))
    throw invalidParameter('A catalog template can not have a header.');
  if (buttons.includes('MPM') && (partOf(components, 'HEADER')?.format ?? 'TEXT') !== 'TEXT')
    throw invalidParameter('The header of an MPM template must be of format TEXT.');
  if (isProduct && (buttons.join() !== 'SPM' || partOf(components, 'HEADER')?.format !== 'PRODUCT'))
    throw invalidParameter('A template with a product has a header of format PRODUCT and an SPM button only.');
}

function checkOffer(components: readonly UpstreamTemplateComponent[], buttons: string): void {
  const offer = partOf(components, 'LIMITED_TIME_OFFER')?.limited_time_offer;
  const ends = isObject(offer) && offer.has_expiration === true;
  const format = partOf(components, 'HEADER')?.format ?? 'IMAGE';
  if (format !== 'IMAGE' && format !== 'VIDEO')
    throw invalidParameter('The header of a limited-time offer must be of format IMAGE or VIDEO.');
  if (partOf(components, 'FOOTER')) throw invalidParameter('A limited-time offer can not have a footer.');
  checkLength('body of a limited-time offer', partOf(components, 'BODY')?.text, MAX_OFFER_BODY);
  if (buttons !== 'COPY_CODE,URL' && (ends || buttons !== 'URL'))
    throw invalidParameter('A limited-time offer must have a copy-code button and a URL button, in this order.');
}

/**
 * Reads a new flow button as it will be listed: by the flow's id, which is generated for a flow given as JSON.
 * @throws GraphError 100
 */
export function readFlowButton(button: UpstreamTemplateButton): UpstreamTemplateButton {
  const { flow_id: id, flow_name: name, flow_json: json, flow_action: action = 'navigate', ...more } = button;
  const sources = [id, name, json].filter((source) => source !== undefined);
  if (sources.length !== 1 || typeof sources[0] !== 'string' || sources[0] === '')
    throw invalidParameter('A flow button needs exactly one of flow_id, flow_name and flow_json.');
  const listed = String(action).toUpperCase();
  if (listed !== 'NAVIGATE' && listed !== 'DATA_EXCHANGE')
    throw invalidParameter('Param flow_action must be one of {NAVIGATE, DATA_EXCHANGE}.');
  if (listed === 'DATA_EXCHANGE' && more.navigate_screen !== undefined)
    throw invalidParameter('Param navigate_screen can be given with flow_action navigate only.');
  return { ...more, flow_id: id === undefined ? flowIdOf(sources[0]) : Number(id), flow_action: listed };
}

/** Derives a stable id from the flow's source. */
function flowIdOf(source: string): number {
  let id = 0;
  for (const character of source) id = (id * 31 + (character.codePointAt(0) ?? 0)) % 1_000_000_007;
  return 1_000_000_000 + id;
}
