import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import {
  type AddHeaderSampleCommand,
  addHeaderSampleV1,
  type CountHeaderSamplesCommand,
  type CountHeaderSamplesReply,
  countHeaderSamplesV1,
  type CountSecretsCommand,
  type CountSecretsReply,
  type CreateDraftCommand,
  createDraftV1,
  type DeleteDraftCommand,
  deleteDraftV1,
  type DeleteTemplateCommand,
  type DeleteTemplateReply,
  deleteTemplateV1,
  type DraftReply,
  type EditTemplateCommand,
  editTemplateV1,
  type GetDraftCommand,
  getDraftV1,
  type GetHeaderSampleCommand,
  getHeaderSampleV1,
  type GetSyncCommand,
  getSyncV1,
  type GetTemplateCommand,
  type GetTemplateReply,
  getTemplateV1,
  type GetUpstreamVersionCommand,
  type GetUpstreamVersionReply,
  type HeaderSampleReply,
  type ListDraftsCommand,
  type ListDraftsReply,
  listDraftsV1,
  type ListTemplateEventsCommand,
  type ListTemplateEventsReply,
  listTemplateEventsV1,
  type ListTemplatesCommand,
  type ListTemplatesReply,
  listTemplatesV1,
  type RequestSyncCommand,
  requestSyncV1,
  type ResealSecretsCommand,
  type ResealSecretsReply,
  type SearchTemplatesCommand,
  type SearchTemplatesReply,
  searchTemplatesV1,
  type ShowTemplateCommand,
  type ShowTemplateReply,
  showTemplateV1,
  type SubmitDraftCommand,
  submitDraftV1,
  type SyncReply,
  templatesCountSecretsV1,
  templatesGetUpstreamVersionV1,
  templatesResealSecretsV1,
  type UpdateDraftCommand,
  updateDraftV1,
} from '@switchboard/contracts';

/**
 * Sends the commands of the templates service. Every method also throws the errors of `Broker.request`. Without listed
 * callers, only the gateway may call a method: RabbitMQ rejects other services.
 */
@Injectable()
export class TemplatesClient {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'request'>) {}

  /**
   * Returns one template of any status, by name and language.
   * Callers: messaging, otp.
   */
  getTemplate(request: GetTemplateCommand): Promise<GetTemplateReply> {
    return this.broker.request(getTemplateV1, request);
  }

  /** Returns the account's approved templates, by name and language. */
  listTemplates(request: ListTemplatesCommand): Promise<ListTemplatesReply> {
    return this.broker.request(listTemplatesV1, request);
  }

  /**
   * Returns one page of an account's templates of every status, by name and language.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  searchTemplates(request: SearchTemplatesCommand): Promise<SearchTemplatesReply> {
    return this.broker.request(searchTemplatesV1, request);
  }

  /**
   * Returns one template of any status, by id, with management details.
   * @throws AppError NOT_FOUND
   */
  showTemplate(request: ShowTemplateCommand): Promise<ShowTemplateReply> {
    return this.broker.request(showTemplateV1, request);
  }

  /**
   * Returns one page of a template's history, newest first: callbacks, and changes detected by a sync. Includes deleted
   * templates.
   * @throws AppError NOT_FOUND when the service has no record of the template
   */
  listTemplateEvents(request: ListTemplateEventsCommand): Promise<ListTemplateEventsReply> {
    return this.broker.request(listTemplateEventsV1, request);
  }

  /**
   * Creates a draft from a template's current content, or returns the existing draft.
   * @throws AppError NOT_FOUND; INVALID_VALUE
   */
  editTemplate(request: EditTemplateCommand): Promise<DraftReply> {
    return this.broker.request(editTemplateV1, request);
  }

  /**
   * Deletes one language of a template at the upstream platform. The next sync removes it from the list.
   * @throws AppError NOT_FOUND; INVALID_VALUE when the platform does not allow it; UPSTREAM_ERROR, UPSTREAM_THROTTLED,
   * UPSTREAM_TIMEOUT
   */
  deleteTemplate(request: DeleteTemplateCommand): Promise<DeleteTemplateReply> {
    return this.broker.request(deleteTemplateV1, request);
  }

  /** Returns one page of an account's template drafts, newest first. */
  listDrafts(request: ListDraftsCommand): Promise<ListDraftsReply> {
    return this.broker.request(listDraftsV1, request);
  }

  /**
   * Returns one draft.
   * @throws AppError NOT_FOUND
   */
  getDraft(request: GetDraftCommand): Promise<DraftReply> {
    return this.broker.request(getDraftV1, request);
  }

  /**
   * Creates a draft of a new template. It may be incomplete: the reply lists the problems for which the upstream
   * platform would reject it.
   * @throws AppError INVALID_VALUE when a draft of this name and language exists; MISSING_FIELD when the business
   * account is ambiguous
   */
  createDraft(request: CreateDraftCommand): Promise<DraftReply> {
    return this.broker.request(createDraftV1, request);
  }

  /**
   * Updates a draft, including a rejected one.
   * @throws AppError NOT_FOUND; INVALID_VALUE during and after its submission
   */
  updateDraft(request: UpdateDraftCommand): Promise<DraftReply> {
    return this.broker.request(updateDraftV1, request);
  }

  /**
   * Deletes a draft.
   * @throws AppError NOT_FOUND; INVALID_VALUE while the draft is being submitted
   */
  deleteDraft(request: DeleteDraftCommand): Promise<DraftReply> {
    return this.broker.request(deleteDraftV1, request);
  }

  /**
   * Submits a draft to the upstream platform for review, in the background.
   * @throws AppError NOT_FOUND; INVALID_VALUE with every problem for which the platform would reject it
   */
  submitDraft(request: SubmitDraftCommand): Promise<DraftReply> {
    return this.broker.request(submitDraftV1, request);
  }

  /**
   * Registers a file in the blob store as a sample for template headers.
   * @throws AppError INVALID_VALUE when the account has too many samples
   */
  addHeaderSample(request: AddHeaderSampleCommand): Promise<HeaderSampleReply> {
    return this.broker.request(addHeaderSampleV1, request);
  }

  /** Returns the number of an account's samples, so that a caller can reject an upload before reading it. */
  countHeaderSamples(request: CountHeaderSamplesCommand): Promise<CountHeaderSamplesReply> {
    return this.broker.request(countHeaderSamplesV1, request);
  }

  /**
   * Returns one header sample.
   * @throws AppError NOT_FOUND when the sample was deleted or belongs to another account
   */
  getHeaderSample(request: GetHeaderSampleCommand): Promise<HeaderSampleReply> {
    return this.broker.request(getHeaderSampleV1, request);
  }

  /** Returns the progress of an account's template sync, per business account. */
  getSync(request: GetSyncCommand): Promise<SyncReply> {
    return this.broker.request(getSyncV1, request);
  }

  /** Starts a sync of all of an account's templates. `getSync` returns its progress. */
  requestSync(request: RequestSyncCommand): Promise<SyncReply> {
    return this.broker.request(requestSyncV1, request);
  }

  /** Returns the API version with which the service calls the upstream platform. */
  getUpstreamVersion(request: GetUpstreamVersionCommand): Promise<GetUpstreamVersionReply> {
    return this.broker.request(templatesGetUpstreamVersionV1, request);
  }

  /** Counts the encrypted values that the service stores, by encryption key. */
  countSecrets(request: CountSecretsCommand): Promise<CountSecretsReply> {
    return this.broker.request(templatesCountSecretsV1, request);
  }

  /**
   * Re-encrypts a bounded number of values of one column with the current key. Idempotent.
   * @throws AppError NOT_FOUND when the service has no such column
   */
  resealSecrets(request: ResealSecretsCommand): Promise<ResealSecretsReply> {
    return this.broker.request(templatesResealSecretsV1, request);
  }
}
