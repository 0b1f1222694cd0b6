import { componentOf } from './parameters';
import type { StoredTemplate } from './seed';
import type { StatusEventDetails } from './template-events';

const SOUNDS_LIKE_MARKETING = /\b(sale|discount|offer|coupon|deal|promo(tion)?)\b|% off/i;
const ADJACENT_VARIABLES = /\}\}\s*\{\{/;

export interface Review {
  event: 'APPROVED' | 'REJECTED';
  /** Category, which may differ from the requested one. */
  category: string;
  details: StatusEventDetails;
}

/**
 * Determines the result of a review. Templates whose name starts with `reject_` are rejected and those with `hold_`
 * stay pending (undefined), so that tests and users can force either. A utility template with promotional content is
 * approved as marketing.
 */
export function reviewOf(template: StoredTemplate): Review | undefined {
  const text = componentOf(template, 'BODY')?.text ?? '';
  const { name, category } = template;
  if (name.startsWith('hold_')) return undefined;
  if (name.startsWith('reject_'))
    return rejection(
      category,
      'The template was made to be rejected.',
      'Choose a name that does not begin with reject_.',
    );
  if (ADJACENT_VARIABLES.test(text)) {
    return rejection(
      category,
      'Your template has parameters placed next to each other.',
      'Separate parameters with descriptive text.',
    );
  }
  const drifts = category === 'UTILITY' && SOUNDS_LIKE_MARKETING.test(text);
  return { event: 'APPROVED', category: drifts ? 'MARKETING' : category, details: {} };
}

function rejection(category: string, reason: string, recommendation: string): Review {
  return {
    event: 'REJECTED',
    category,
    details: { reason: 'INVALID_FORMAT', rejection_info: { reason, recommendation } },
  };
}
