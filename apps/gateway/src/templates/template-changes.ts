import { Injectable } from '@nestjs/common';
import {
  AddHeaderSampleCommand,
  AppError,
  CreateDraftCommand,
  DeleteDraftCommand,
  DeleteTemplateCommand,
  EditTemplateCommand,
  type HeaderSampleRecord,
  RequestSyncCommand,
  SendMessageCommand,
  type SendMessageReply,
  type SendMessageRequest,
  SubmitDraftCommand,
  type TemplateComponent,
  type TemplateDraftRecord,
  type TemplateSyncRecord,
  type TemplateValues,
  UpdateDraftCommand,
} from '@switchboard/contracts';
import { MessagingClient, TemplatesClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { ChangeBy } from '../request-context/console-user';

export type NewTemplateDraft = Omit<CreateDraftCommand, 'accountId'>;
export type NewHeaderSample = Omit<AddHeaderSampleCommand, 'accountId'>;
export type TemplateDraftChange = Omit<UpdateDraftCommand, 'accountId' | 'draftId'>;

/** Test send of a template: recipient, business number (defaults to the primary one) and values of the variables. */
export interface TestSend {
  messageId: string;
  to: string;
  from?: string;
  components?: TemplateComponent[];
  variables?: TemplateValues;
}

/**
 * Period in milliseconds covered by one audit log entry for draft changes, because the editor saves drafts
 * automatically.
 */
const AUTOSAVES_MS = 15 * 60_000;

/**
 * Changes an account's templates, for its users or operators. Each change is recorded with its actor and the template's
 * name, without the text.
 */
@Injectable()
export class TemplateChanges {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly templates: TemplatesClient,
    private readonly changes: AuditedChanges,
  ) {}

  /** @throws AppError INVALID_VALUE if a draft with this name and language exists */
  async createDraft(by: ChangeBy, draft: NewTemplateDraft): Promise<TemplateDraftRecord> {
    const { name, language, category } = draft;
    const note = { action: 'template-draft.create', target: by.accountId, details: { name, language, category } };
    const reply = await this.changes.request({ ...by, ...note }, CreateDraftCommand, draft, (command) =>
      this.templates.createDraft(command),
    );
    return reply.draft;
  }

  /** Creates a draft from a template. @throws AppError NOT_FOUND */
  async editTemplate(by: ChangeBy, templateId: string): Promise<TemplateDraftRecord> {
    await this.requireTemplate(by, templateId);
    const { draft } = await this.changes.request(
      { ...by, action: 'template.edit', target: templateId },
      EditTemplateCommand,
      { templateId },
      (command) => this.templates.editTemplate(command),
    );
    return draft;
  }

  /**
   * @throws AppError NOT_FOUND; MISSING_FIELD for an empty change; INVALID_VALUE during and after the draft's
   * submission
   */
  async changeDraft(by: ChangeBy, draftId: string, change: TemplateDraftChange): Promise<TemplateDraftRecord> {
    const { name, language, category, components, ttlSeconds } = change;
    const given = { name, language, category, components, ttlSeconds };
    const changed = Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    if (changed.length === 0) throw new AppError('MISSING_FIELD', { message: 'give at least one field to change' });
    const { draft } = await this.changes.request(
      { ...by, action: 'template-draft.change', target: draftId, details: { changed }, standsForMs: AUTOSAVES_MS },
      UpdateDraftCommand,
      { ...given, draftId },
      (command) => this.templates.updateDraft(command),
    );
    return draft;
  }

  /** @throws AppError NOT_FOUND; INVALID_VALUE during the draft's submission */
  async deleteDraft(by: ChangeBy, draftId: string): Promise<TemplateDraftRecord> {
    const { draft } = await this.changes.request(
      { ...by, action: 'template-draft.delete', target: draftId },
      DeleteDraftCommand,
      { draftId },
      (command) => this.templates.deleteDraft(command),
    );
    return draft;
  }

  /**
   * Submits the draft to the upstream platform in the background.
   * @throws AppError NOT_FOUND; INVALID_VALUE listing all faults
   */
  async submitDraft(by: ChangeBy, draftId: string): Promise<TemplateDraftRecord> {
    const { draft } = await this.changes.request(
      { ...by, action: 'template.submit', target: draftId },
      SubmitDraftCommand,
      { draftId },
      (command) => this.templates.submitDraft(command),
    );
    return draft;
  }

  /**
   * Registers a file from the blob store as a header sample. @throws AppError INVALID_VALUE if the account has too many
   */
  async addHeaderSample(by: ChangeBy, sample: NewHeaderSample): Promise<HeaderSampleRecord> {
    const { sampleId, mimeType, bytes } = sample;
    const note = { action: 'template-sample.upload', target: sampleId, details: { mimeType, bytes } };
    const reply = await this.changes.request({ ...by, ...note }, AddHeaderSampleCommand, sample, (command) =>
      this.templates.addHeaderSample(command),
    );
    return reply.sample;
  }

  /**
   * Sends an approved template to one phone number as an ordinary message. The audit log omits the recipient.
   * @throws AppError NOT_FOUND for the template; all errors of a send
   */
  async testSend(
    by: ChangeBy,
    templateId: string,
    { messageId, to, from, components, variables }: TestSend,
  ): Promise<SendMessageReply> {
    const { template } = await this.templates.showTemplate({ accountId: by.accountId, templateId });
    const { name, language } = template;
    const message: SendMessageRequest = {
      to,
      type: 'template',
      ...(from !== undefined && { from }),
      template: {
        name,
        language: { code: language },
        ...(components && { components }),
        ...(variables && { variables }),
      },
    };
    const note = { action: 'template.test-send', target: templateId };
    return this.changes.request({ ...by, ...note }, SendMessageCommand, { messageId, message }, (command) =>
      this.messaging.sendMessage(command),
    );
  }

  /**
   * @returns the number of other accounts that also lose the template
   * @throws AppError NOT_FOUND, INVALID_VALUE, UPSTREAM_ERROR, UPSTREAM_THROTTLED, UPSTREAM_TIMEOUT
   */
  async deleteTemplate(by: ChangeBy, templateId: string): Promise<number> {
    await this.requireTemplate(by, templateId);
    const note = { ...by, action: 'template.delete', target: templateId } as const;
    const { otherAccounts = 0 } = await this.changes.request(note, DeleteTemplateCommand, { templateId }, (command) =>
      this.templates.deleteTemplate(command),
    );
    return otherAccounts;
  }

  /** Checks that the template exists before an audit log entry refers to it. @throws AppError NOT_FOUND */
  private async requireTemplate({ accountId }: ChangeBy, templateId: string): Promise<void> {
    await this.templates.showTemplate({ accountId, templateId });
  }

  /** Requests a sync of all templates. @returns the progress of the sync */
  async requestSync(by: ChangeBy): Promise<TemplateSyncRecord[]> {
    const { businesses } = await this.changes.request(
      { ...by, action: 'template.sync', target: by.accountId },
      RequestSyncCommand,
      {},
      (command) => this.templates.requestSync(command),
    );
    return businesses;
  }
}
