import { refusal, templateRefusal } from '../graph-error';
import type { JsonObject } from '../json';
import type { Scheduler } from '../scheduler';
import type { SampleAddress } from '../uploads/sample-address';
import { readCategory, readComponents, readNewTemplate, readParameterFormat } from './new-template';
import { reviewOf } from './review';
import type { StoredTemplate } from './seed';
import type { StatusEventDetails, TemplateEvents } from './template-events';
import type { TemplateEvent, TemplateStore } from './template-store';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_TEMPLATES = 250;
const MAX_CREATIONS_AN_HOUR = 100;
const MAX_EDITS_IN_30_DAYS = 10;
const EDITABLE = ['APPROVED', 'REJECTED', 'PAUSED'];
const CANNOT_CHANGE = 2388039;

interface History {
  lastSentMs: number;
  /** Times of edits made while the template was approved. */
  editsMs: number[];
  /** Number of pauses because of bad quality. */
  pauses: number;
  /** True while paused by pacing, after which the template does not resume automatically. */
  needsUnpause: boolean;
}

/** Time of a submission, and how to resolve its samples. */
export interface Submission {
  nowMs: number;
  addressOf: SampleAddress;
}

export interface LifecycleOptions {
  reviewDelayMs: number;
  /** Duration of the first pause. The second one lasts twice as long. */
  firstPauseMs: number;
  /** Time after a send during which a template is in use and cannot be deleted immediately. */
  inFlightMs: number;
}

/** Lifecycle of templates: creation, review, edits, pauses for bad quality, resumption, disabling and deletion. */
export class TemplateLifecycle {
  private readonly histories = new Map<string, History>();
  private creationsMs: number[] = [];

  constructor(
    private readonly store: TemplateStore,
    private readonly events: TemplateEvents,
    private readonly scheduler: Scheduler,
    private readonly options: LifecycleOptions,
  ) {}

  /** @throws GraphError 100 with a subcode, or 80007 */
  create(body: JsonObject, { nowMs, addressOf }: Submission): { id: string; status: string; category: string } {
    this.creationsMs = this.creationsMs.filter((at) => nowMs - at < HOUR_MS);
    if (this.creationsMs.length >= MAX_CREATIONS_AN_HOUR)
      throw refusal(80007, `(#80007) more than ${MAX_CREATIONS_AN_HOUR} templates an hour`);
    const template = readNewTemplate(body, this.store.nextId(), addressOf);
    const { name, language } = template;
    if (this.store.find(name, language)) {
      throw templateRefusal(
        2388024,
        'Content in This Language Already Exists',
        `There is already ${language} content for this template. You can create a new template and try again.`,
      );
    }
    if (this.store.isBlocked(name, nowMs)) {
      throw templateRefusal(
        2388023,
        'Message Template Language Is Being Deleted',
        `New ${language} content can't be added while the existing content is being deleted. Try again in 4 weeks.`,
      );
    }
    if (this.store.all().length >= MAX_TEMPLATES)
      throw templateRefusal(
        2388019,
        'Message Template Limit Exceeded',
        `An account can have ${MAX_TEMPLATES} templates.`,
      );
    this.store.add(template);
    this.creationsMs.push(nowMs);
    this.scheduleReview(template);
    return { id: template.id, status: template.status, category: template.category };
  }

  /** Replaces the components, or changes the category or the time to live. @throws GraphError 100 with a subcode */
  edit(template: StoredTemplate, body: JsonObject, { nowMs, addressOf }: Submission): void {
    if (body.message_send_ttl_seconds !== undefined) template.message_send_ttl_seconds = body.message_send_ttl_seconds;
    if (body.components === undefined && body.category === undefined) return;
    if (!EDITABLE.includes(template.status))
      throw cannotChange('Only approved, rejected and paused templates can be edited.');
    const category = body.category === undefined ? template.category : readCategory(body.category);
    const isApproved = template.status === 'APPROVED';
    if (isApproved && category !== template.category)
      throw cannotChange('The category of an approved template cannot be edited.');
    const parameterFormat = readParameterFormat(body.parameter_format ?? template.parameter_format ?? 'POSITIONAL');
    const components =
      body.components === undefined
        ? template.components
        : readComponents(body.components, { category, parameterFormat, addressOf });
    if (isApproved) this.countEdit(template, nowMs);
    Object.assign(template, { category, components, parameter_format: parameterFormat, status: 'PENDING' });
    this.scheduleReview(template);
  }

  /** Deletes the template immediately, or once no message is in flight. @throws GraphError 100 for a disabled one */
  delete(template: StoredTemplate, nowMs: number): void {
    if (template.status === 'DISABLED') throw cannotChange('A disabled template cannot be deleted.');
    if (template.status === 'APPROVED') this.store.block(template.name, nowMs);
    const inUseMs = this.historyOf(template).lastSentMs + this.options.inFlightMs - nowMs;
    if (inUseMs <= 0) return this.change(template, 'DELETED');
    this.change(template, 'PENDING_DELETION', { reason: null });
    this.scheduler.after(inUseMs, () => this.change(template, 'DELETED'));
  }

  /** Ends a pause by pacing. @throws GraphError 100 for any other template, because quality pauses end automatically */
  unpause(template: StoredTemplate): void {
    if (template.status !== 'PAUSED' || !this.historyOf(template).needsUnpause)
      throw cannotChange('The template is not paused by pacing.');
    this.resume(template);
  }

  /** Forces a status and reports it. */
  change(template: StoredTemplate, event: TemplateEvent, details: StatusEventDetails = {}): void {
    if (template.status === 'DELETED') return;
    this.historyOf(template).needsUnpause = details.other_info?.title === 'RATE_LIMITING_PAUSE';
    this.store.apply(template, event, details.reason ?? null);
    this.events.status(template, event, details);
  }

  /**
   * Reports a quality score. RED pauses the template for the configured time, then for twice as long, and finally
   * disables it.
   */
  rate(template: StoredTemplate, score: string, nowMs: number): void {
    const { quality_score: previous } = template as { quality_score?: { score: string } };
    this.events.quality(template, { previous: previous?.score ?? 'UNKNOWN', next: score });
    template.quality_score = { score, date: Math.floor(nowMs / 1_000) };
    if (score !== 'RED' || template.status !== 'APPROVED') return;
    const history = this.historyOf(template);
    history.pauses += 1;
    if (history.pauses > 2)
      return this.change(template, 'DISABLED', { disable_info: { disable_date: String(Math.floor(nowMs / 1_000)) } });
    const pauseMs = this.options.firstPauseMs * history.pauses;
    const title = history.pauses === 1 ? 'FIRST_PAUSE' : 'SECOND_PAUSE';
    const description = `Your WhatsApp message template has been paused for ${Math.round((pauseMs / HOUR_MS) * 100) / 100} hours.`;
    this.change(template, 'PAUSED', { other_info: { title, description } });
    const { pauses } = history;
    this.scheduler.after(pauseMs, () => {
      if (template.status === 'PAUSED' && history.pauses === pauses) this.resume(template);
    });
  }

  recategorize(template: StoredTemplate, category: string): void {
    const previous = template.category;
    Object.assign(template, { category, previous_category: previous });
    this.events.category(template, previous);
  }

  wasSent(template: StoredTemplate, nowMs: number): void {
    this.historyOf(template).lastSentMs = nowMs;
  }

  reset(): void {
    this.histories.clear();
    this.creationsMs = [];
  }

  private resume(template: StoredTemplate): void {
    this.change(template, 'APPROVED', {
      other_info: { title: 'UNPAUSE', description: 'Your WhatsApp message template has been unpaused.' },
    });
  }

  private scheduleReview(template: StoredTemplate): void {
    this.scheduler.after(this.options.reviewDelayMs, () => {
      const review = reviewOf(template);
      if (template.status !== 'PENDING' || !review) return;
      if (review.category !== template.category) this.recategorize(template, review.category);
      this.change(template, review.event, review.details);
    });
  }

  private countEdit(template: StoredTemplate, nowMs: number): void {
    const history = this.historyOf(template);
    history.editsMs = history.editsMs.filter((at) => nowMs - at < 30 * DAY_MS);
    const editedToday = history.editsMs.some((at) => nowMs - at < DAY_MS);
    if (editedToday || history.editsMs.length >= MAX_EDITS_IN_30_DAYS)
      throw cannotChange('An approved template can be edited once in 24 hours and 10 times in 30 days.');
    history.editsMs.push(nowMs);
  }

  private historyOf({ id }: StoredTemplate): History {
    const existing = this.histories.get(id);
    if (existing) return existing;
    const history = { lastSentMs: Number.NEGATIVE_INFINITY, editsMs: [], pauses: 0, needsUnpause: false };
    this.histories.set(id, history);
    return history;
  }
}

function cannotChange(message: string): Error {
  return templateRefusal(CANNOT_CHANGE, 'Message Template Status Cannot Be Changed', message);
}
