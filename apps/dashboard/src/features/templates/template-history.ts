import type { Schemas } from '../../api/client';

/** Label for each WhatsApp webhook field, and the properties that hold its old and new values. */
const CHANGES: Record<string, readonly [words: string, from?: string, to?: string]> = {
  message_template_status_update: ['Status changed by the platform', undefined, 'event'],
  message_template_quality_update: ['Quality changed by the platform', 'previous_quality_score', 'new_quality_score'],
  message_template_components_update: ['Components changed by the platform'],
  template_category_update: ['Category changed by the platform', 'previous_category', 'new_category'],
  template_correct_category_detection: ['Correct category reported by the platform', 'category', 'correct_category'],
};

const readable = (name: string): string => {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

/** Describes a template event: a change found by synchronization, or a WhatsApp webhook. */
export function happenedText(event: Omit<Schemas['TemplateEvent'], 'id' | 'at' | 'reason'>): string {
  const { previousStatus, status, previousCategory, category, callbackField } = event;
  const found = [
    status !== null && status !== previousStatus && arrow(previousStatus, status),
    category !== null && category !== previousCategory && `category ${readable(category)}`,
  ].filter(Boolean);
  if (found.length > 0) return found.join(', ');
  return callbackField === null ? 'Changed' : toldText(callbackField, event.raw as Record<string, unknown>);
}

const arrow = (...steps: unknown[]): string =>
  steps
    .filter((step): step is string => typeof step === 'string' && step !== '')
    .map(readable)
    .join(' → ');

function toldText(field: string, raw: Record<string, unknown>): string {
  // A pending change: the template still has its previous category.
  if (field === 'template_category_update' && typeof raw.correct_category === 'string')
    return `Category change announced by the platform: ${arrow(raw.new_category, raw.correct_category)}`;
  const [words, from = '', to = ''] = (Object.hasOwn(CHANGES, field) && CHANGES[field]) || [readable(field)];
  const change = arrow(raw[from], raw[to]);
  return change === '' ? words : `${words}: ${change}`;
}
