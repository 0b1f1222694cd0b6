import { storableText, type TemplateStatus, normaliseLanguage } from '@switchboard/contracts';
import type { UpstreamTemplate } from '@switchboard/upstream';
import { type TemplateComponentRecord, toComponents } from './template-components';
import { statusOf } from './template-state';

/** Longer than any reason of the upstream platform. */
const REASON_MAX_CHARACTERS = 1_000;

/** A template as listed by the upstream platform, with internal status and language. */
export interface ListedTemplate {
  id: string;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  upstreamStatus: string;
  components: TemplateComponentRecord[];
  /** Reason for the rejection. Null when it was not rejected. */
  reason: string | null;
  raw: UpstreamTemplate;
}

/**
 * Converts listed templates and removes duplicates. If the list changes during paging, an entry may appear on two
 * pages; the later entry replaces the earlier one. Skips entries without id, name or language, because they cannot be
 * sent.
 */
export function toListed(templates: readonly UpstreamTemplate[]): ListedTemplate[] {
  const nameable = templates.filter(({ id, name, language }) => id && name && language);
  const byName = new Map(
    nameable.map(toListedTemplate).map((template) => [`${template.name}\n${template.language}`, template]),
  );
  return [...byName.values()];
}

function toListedTemplate(raw: UpstreamTemplate): ListedTemplate {
  const status = statusOf(raw.status ?? '');
  const rejectedReason =
    raw.rejected_reason && raw.rejected_reason !== 'NONE'
      ? String(raw.rejected_reason).slice(0, REASON_MAX_CHARACTERS)
      : null;
  return {
    id: String(raw.id),
    name: storableText(raw.name),
    language: normaliseLanguage(storableText(raw.language)),
    category: (raw.category ?? '').toUpperCase(),
    status,
    upstreamStatus: raw.status ?? '',
    components: toComponents(raw.components),
    reason: status === 'REJECTED' ? rejectedReason : null,
    raw,
  };
}
