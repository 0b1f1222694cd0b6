import { fitsHeader, type HeaderSampleType } from '@switchboard/contracts';
import { cardsOf } from '@switchboard/template-rules';
import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import { HEADER } from '../header-samples/template-sample.entity';

/** A stored sample of a template. */
export interface StoredSample {
  /** Index of the card, or `HEADER`. */
  card: number;
  id: string;
  mimeType: HeaderSampleType;
}

/**
 * Returns listed components with the ids of stored samples in place of the platform's links, which expire. Ignores a
 * sample of another format than the header, because the template was then edited elsewhere.
 */
export function withStoredSamples(
  listed: readonly UpstreamTemplateComponent[],
  samples: readonly StoredSample[],
): UpstreamTemplateComponent[] {
  const replaced = (component: UpstreamTemplateComponent, card: number): UpstreamTemplateComponent => {
    if (typeOf(component) !== 'HEADER') return component;
    const sample = samples.find((each) => each.card === card);
    if (!sample || !fitsHeader(sample.mimeType, component.format?.toUpperCase())) return component;
    return { ...component, example: { header_handle: [sample.id] } };
  };
  if (samples.length === 0) return [...listed];
  return listed.map((component) => {
    if (typeOf(component) !== 'CAROUSEL') return replaced(component, HEADER);
    const cards = cardsOf([component]) as UpstreamTemplateComponent[][];
    return {
      ...component,
      cards: cards.map((card, index) => ({ components: card.map((part) => replaced(part, index)) })),
    };
  });
}

/** The platform may omit any property. */
const typeOf = ({ type }: Partial<UpstreamTemplateComponent>): string => (type ?? '').toUpperCase();
