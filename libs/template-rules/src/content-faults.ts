import { type Fault, TEMPLATE_CATEGORIES } from './fault';
import { authenticationFaults } from './authentication-faults';
import { buttonsFaults } from './button-faults';
import { carouselFaults } from './carousel-faults';
import { componentOf, type DraftContent, type Json } from './draft-content';
import { kindFaults, MAX_OFFER_BODY, offerFaults } from './kind-faults';
import { bodyFaults, footerFaults, headerFaults } from './text-faults';

const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,4})?$/;
const CODE_TYPES = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'];
const TYPES = [...CODE_TYPES, 'CAROUSEL', 'LIMITED_TIME_OFFER'];
/** Allowed validity period in seconds by category; other categories cannot set one. */
export const TTL_SECONDS: Record<string, [min: number, max: number]> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
};

/**
 * Returns the errors for which WhatsApp, or a fixed rule of its reviewers, would reject a template. A template without
 * errors can be submitted.
 */
export function contentFaults({ name, language, category, components, ttlSeconds }: DraftContent): Fault[] {
  const wrong = (isWrong: boolean, field: string, message: string): Fault[] => (isWrong ? [{ field, message }] : []);
  return [
    ...wrong(!NAME.test(name), 'name', 'lower-case letters, digits and underscores only, at most 512'),
    ...wrong(!LANGUAGE.test(language), 'language', 'must be a language code such as en or en_US'),
    ...wrong(!isCategory(category), 'category', `must be one of ${TEMPLATE_CATEGORIES.join(', ')}`),
    ...ttlFaults(category, ttlSeconds),
    ...componentsFaults(category, components),
  ];
}

function isCategory(category: string): boolean {
  return TEMPLATE_CATEGORIES.some((known) => known === category);
}

function ttlFaults(category: string, ttlSeconds: number | null): Fault[] {
  if (ttlSeconds === null || !isCategory(category)) return [];
  const [min, max] = TTL_SECONDS[category] ?? [1, 0];
  if (ttlSeconds >= min && ttlSeconds <= max) return [];
  return [
    {
      field: 'ttlSeconds',
      message: max === 0 ? `cannot be given for ${category}` : `must be from ${min} to ${max} for ${category}`,
    },
  ];
}

function componentsFaults(category: string, components: readonly Json[]): Fault[] {
  const types = components.map(({ type }) => String(type));
  const allowed = category === 'AUTHENTICATION' ? CODE_TYPES : TYPES;
  const unknown = types.flatMap((type, index) =>
    allowed.includes(type)
      ? []
      : [{ field: `components.${index}.type`, message: `must be one of ${allowed.join(', ')}` }],
  );
  const twice = [...new Set(types.filter((type, index) => types.indexOf(type) < index))].map((type) => ({
    field: 'components',
    message: `${type} can be given once`,
  }));
  if (category === 'AUTHENTICATION') return [...unknown, ...twice, ...authenticationFaults(components)];
  const of = (type: string, faultsOf: (component: Json) => Fault[]): Fault[] => {
    const component = componentOf(components, type);
    return component ? faultsOf(component) : [];
  };
  const noBody = types.includes('BODY') ? [] : [{ field: 'body', message: 'a template needs a body' }];
  return [
    ...unknown,
    ...twice,
    ...of('HEADER', headerFaults),
    ...of('LIMITED_TIME_OFFER', offerFaults),
    ...noBody,
    ...of('BODY', (body) => bodyFaults(body, types.includes('LIMITED_TIME_OFFER') ? MAX_OFFER_BODY : undefined)),
    ...of('FOOTER', footerFaults),
    ...of('BUTTONS', (buttons) => buttonsFaults(buttons)),
    ...of('CAROUSEL', carouselFaults),
    ...kindFaults(category, components),
  ];
}
