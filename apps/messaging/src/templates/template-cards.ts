import {
  cardsOf,
  isCarousel,
  type TemplateCard,
  type TemplateComponent,
  type TemplateContent,
  type TemplateRecord,
} from '@switchboard/contracts';
import { mismatch, mismatchAt } from './template-mismatch';

type Template = Pick<TemplateRecord, 'components' | 'category'>;
type Fit = (template: Template, content: TemplateContent) => TemplateContent;

const KINDS = ['header', 'body', 'button', 'limited_time_offer', 'carousel'];
const BUTTON_KINDS = ['url', 'quick_reply', 'copy_code', 'catalog', 'mpm', 'flow', 'phone_number'];
const MIN_CARDS = 2;

/**
 * Rejects components that would be dropped silently, and checks each card of a carousel like a template.
 * @param fit checks a card and adds parameter names to its values
 * @returns the content with the checked carousel
 * @throws AppError TEMPLATE_PARAMS_MISMATCH
 */
export function fitCards(template: Template, content: TemplateContent, fit: Fit): TemplateContent {
  const { components = [] } = content;
  components.forEach(refuseUnknownKind);
  const expected = cardTemplates(template);
  const [carousel, second] = components.filter(isCarousel);
  if (second) throw mismatch('one carousel can be given');
  const given = carousel?.cards ?? [];
  if (expected.length === 0 && carousel) throw mismatch(`the template has no carousel, ${given.length} cards given`);
  if (expected.length === 0) return content;
  requireCards(given, expected);
  const cards = given.map((card) => fitCard(card, { content, expected, fit }));
  return {
    ...content,
    components: components.map((component) => (component === carousel ? { ...component, cards } : component)),
  };
}

function refuseUnknownKind(
  { type, sub_type: subType, parameters = [], cards }: TemplateComponent,
  index: number,
): void {
  const kind = type.toLowerCase();
  if (!KINDS.includes(kind) && parameters.length === 0)
    throw mismatch(`component ${index} is of type ${type}, expected is one of ${KINDS.join(', ')}`);
  if (cards !== undefined && kind !== 'carousel')
    throw mismatch(`component ${index} has cards, which belong to a carousel, and is of type ${type}`);
  if (kind === 'carousel' && parameters.length > 0)
    throw mismatch(`the carousel expects cards, ${parameters.length} parameters given`);
  if (kind === 'button' && subType !== undefined && !BUTTON_KINDS.includes(subType.toLowerCase()))
    throw mismatch(
      `component ${index} is a button of sub_type ${subType}, expected is one of ${BUTTON_KINDS.join(', ')}`,
    );
}

const known = new WeakMap<Template, readonly Template[]>();

/** Returns the cards of a template as templates. Cached per template object, as are its variables. */
function cardTemplates(template: Template): readonly Template[] {
  const { category, components } = template;
  const cards = known.get(template) ?? cardsOf(components).map((ofCard) => ({ category, components: ofCard }));
  known.set(template, cards);
  return cards;
}

/**
 * Returns true if the cards contain products. A send has 2 to 10 such cards; the template has two only for its review.
 */
const showsProducts = ([card]: readonly Template[]): boolean =>
  card?.components.some((part) => String((part as { format?: unknown }).format).toUpperCase() === 'PRODUCT') ?? false;

function requireCards(given: readonly TemplateCard[], expected: readonly Template[]): void {
  const isFree = showsProducts(expected);
  if (isFree ? given.length < MIN_CARDS : given.length !== expected.length)
    throw mismatch(
      `the carousel expects ${isFree ? `${MIN_CARDS} to 10` : expected.length} cards, ${given.length} given`,
    );
  const missing = given.findIndex((_, index) => !given.some((card) => card.card_index === index));
  if (missing >= 0) throw mismatch(`the carousel expects a card of card_index ${missing}, none given`);
}

function fitCard(
  { card_index: index, components }: TemplateCard,
  { content, expected, fit }: { content: TemplateContent; expected: readonly Template[]; fit: Fit },
): TemplateCard {
  const stored = expected[index] ?? (expected[0] as Template);
  try {
    const fitted = fit(stored, { name: content.name, language: content.language, components });
    return { card_index: index, components: fitted.components ?? [] };
  } catch (error) {
    throw mismatchAt(`card ${index}`, error);
  }
}
