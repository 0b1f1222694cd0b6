import type { FaultyCallbacks } from '../callbacks/callback-faults';
import type { StoredTemplate } from './seed';
import type { TemplateEvent, TemplateStore } from './template-store';

export interface StatusEventDetails {
  reason?: string | null;
  rejection_info?: { reason: string; recommendation: string };
  other_info?: { title: string; description: string };
  disable_info?: { disable_date: string };
}

/** Reports template changes like the platform: one change per callback entry, with the time of the entry. */
export class TemplateEvents {
  constructor(
    private readonly callbacks: FaultyCallbacks,
    private readonly store: Pick<TemplateStore, 'ownerOf'>,
  ) {}

  status(
    template: StoredTemplate,
    event: TemplateEvent,
    { reason = 'NONE', ...details }: StatusEventDetails = {},
  ): void {
    this.emit('message_template_status_update', template, {
      event,
      ...namesOf(template),
      reason,
      message_template_category: template.category,
      ...details,
    });
  }

  quality(template: StoredTemplate, scores: { previous: string; next: string }): void {
    this.emit('message_template_quality_update', template, {
      previous_quality_score: scores.previous,
      new_quality_score: scores.next,
      ...namesOf(template),
    });
  }

  category(template: StoredTemplate, previous: string): void {
    this.emit('template_category_update', template, {
      ...namesOf(template),
      previous_category: previous,
      new_category: template.category,
    });
  }

  private emit(field: string, { id }: StoredTemplate, value: object): void {
    const time = Math.floor(Date.now() / 1_000);
    this.callbacks.emit({ kind: 'change', wabaId: this.store.ownerOf(id), time, field, value });
  }
}

/** Returns the members that identify a template. The id is an integer here, but a string in lists. */
function namesOf({ id, name, language }: StoredTemplate): object {
  return { message_template_id: Number(id), message_template_name: name, message_template_language: language };
}
