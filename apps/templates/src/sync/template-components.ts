import { cardsOf, isJson } from '@switchboard/template-rules';
import type { UpstreamTemplateButton, UpstreamTemplateComponent } from '@switchboard/upstream';

/** A component as the API returns it (spec §7.5.4). */
export type TemplateComponentRecord =
  | { type: 'HEADER'; format?: string; text?: string }
  | { type: 'BODY' | 'FOOTER'; text?: string }
  | { type: 'BUTTONS'; buttons: TemplateButtonRecord[] }
  | { type: 'CAROUSEL'; cards: { components: TemplateComponentRecord[] }[] }
  | { type: 'LIMITED_TIME_OFFER'; limited_time_offer: { text?: string; has_expiration: boolean } };

export interface TemplateButtonRecord {
  type: string;
  text?: string;
  url?: string;
}

/**
 * Returns the components that a send fills in, in the format of the specification. Examples and other parts remain only
 * in the raw template.
 */
export function toComponents(components: readonly UpstreamTemplateComponent[] = []): TemplateComponentRecord[] {
  return components.flatMap((component) => toComponent(component) ?? []);
}

function toComponent(component: UpstreamTemplateComponent): TemplateComponentRecord | undefined {
  const { type, format, text, buttons, limited_time_offer: offer } = component;
  const upperType = upperCase(type);
  switch (upperType) {
    case 'HEADER':
      return { type: upperType, format: format?.toUpperCase(), text };
    case 'BODY':
    case 'FOOTER':
      return { type: upperType, text };
    case 'BUTTONS':
      return { type: upperType, buttons: (buttons ?? []).map(toButton) };
    case 'CAROUSEL': {
      const cards = cardsOf([component]) as UpstreamTemplateComponent[][];
      return { type: upperType, cards: cards.map((card) => ({ components: toComponents(card) })) };
    }
    case 'LIMITED_TIME_OFFER':
      return { type: upperType, limited_time_offer: toOffer(offer) };
    default:
      return undefined;
  }
}

function toOffer(offer: unknown): { text?: string; has_expiration: boolean } {
  const { text, has_expiration: hasExpiration } = isJson(offer) ? offer : {};
  return { ...(typeof text === 'string' && { text }), has_expiration: hasExpiration === true };
}

function toButton({ type, text, url }: UpstreamTemplateButton): TemplateButtonRecord {
  return { type: upperCase(type), text, url };
}

/** The upstream platform may omit any property. */
function upperCase(text: string | undefined): string {
  return (text ?? '').toUpperCase();
}
