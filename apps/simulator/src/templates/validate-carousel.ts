import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import { checkCount, componentOf, mismatch, parametersOf } from './parameters';
import type { StoredTemplate } from './seed';

/**
 * Checks the cards of a send against those of the template. A product carousel may have more cards than the two
 * reviewed with the template.
 * @param check checks the components of a card
 * @throws GraphError 132012, 132000, 100
 */
export function checkCarousel(
  template: StoredTemplate,
  component: JsonObject | undefined,
  check: (card: StoredTemplate, components: unknown) => void,
): void {
  const stored = (componentOf(template, 'CAROUSEL')?.cards ?? []) as { components: UpstreamTemplateComponent[] }[];
  if (stored.length === 0) {
    if (component) throw refusal(132012, 'carousel: the template has no carousel');
    return;
  }
  const cards = component?.cards;
  if (!Array.isArray(cards) || !cards.every(isObject)) throw invalidParameter('The parameter cards is required.');
  const isOfProducts = stored[0]?.components.some(({ format }) => format === 'PRODUCT');
  if (!isOfProducts || cards.length < 2 || cards.length > 10) checkCount('carousel', cards.length, stored.length);
  cards.forEach((_, position) => {
    if (cards.filter(({ card_index: index }: JsonObject) => Number(index) === position).length !== 1)
      throw invalidParameter(`Param cards must have one card of card_index ${position}.`);
  });
  for (const { card_index: index, components } of cards as JsonObject[]) {
    const card = stored[Number(index)] ?? stored[0];
    check({ ...template, components: card?.components ?? [] }, components);
  }
}

/** @throws GraphError 132000, 132012, 100 unless an expiration is given where the template has one */
export function checkOffer(template: StoredTemplate, component: JsonObject | undefined): void {
  const offer = componentOf(template, 'LIMITED_TIME_OFFER')?.limited_time_offer;
  const ends = isObject(offer) && offer.has_expiration === true;
  const parameters = parametersOf(component);
  checkCount('limited_time_offer', parameters.length, ends ? 1 : 0);
  const [parameter] = parameters;
  if (!parameter) return;
  const { type, limited_time_offer: value } = parameter;
  if (type !== 'limited_time_offer') throw mismatch('limited_time_offer', 'LIMITED_TIME_OFFER', type);
  if (!isObject(value) || !Number.isInteger(value.expiration_time_ms))
    throw invalidParameter('The parameter expiration_time_ms must be a time in milliseconds.');
}
