import { Inject, Injectable } from '@nestjs/common';
import { Broker, type RequestOptions } from '@switchboard/broker';
import {
  type ChangeLabelCommand,
  changeLabelV1,
  type CreateLabelCommand,
  createLabelV1,
  type DeleteLabelCommand,
  type DeleteLabelReply,
  deleteLabelV1,
  type LabelContactCommand,
  type LabelContactReply,
  labelContactV1,
  type LabelReply,
  type ListLabelsCommand,
  type ListLabelsReply,
  listLabelsV1,
  type SetContactLabelsCommand,
  setContactLabelsV1,
  type AccountSettingsReply,
  type AddMediaFileCommand,
  type AddMediaFileReply,
  addMediaFileV1,
  type AddNumberCommand,
  type AddNumberReply,
  addNumberV1,
  type ChangeBlockCommand,
  type ChangeBlockReply,
  changeBlockV1,
  type ChangeContactCommand,
  changeContactV1,
  type ChangeConversationCommand,
  type ChangeConversationReply,
  changeConversationV1,
  type CheckJobCommand,
  type CheckJobReply,
  checkJobV1,
  type CheckNumberCommand,
  type CheckNumberReply,
  checkNumberV1,
  type CountConversationsCommand,
  type CountConversationsReply,
  countConversationsV1,
  type CountSecretsCommand,
  type CountSecretsReply,
  type CreateNoteCommand,
  type CreateNoteReply,
  createNoteV1,
  type DeleteMediaFileReply,
  deleteMediaFileV1,
  type DeleteNoteCommand,
  type DeleteNoteReply,
  deleteNoteV1,
  type EraseContactCommand,
  type EraseContactReply,
  eraseContactV1,
  type EstimateSendsCommand,
  type EstimateSendsReply,
  estimateSendsV1,
  type StatisticsSpanCommand,
  type GetAccountSettingsCommand,
  getAccountSettingsV1,
  type GetContactCommand,
  type GetContactReply,
  getContactV1,
  type GetMediaCommand,
  type GetMediaReply,
  getMediaV1,
  type GetMediaFileCommand,
  getMediaFileV1,
  type GetMessageCommand,
  type GetMessageStatisticsReply,
  getMessageStatisticsV1,
  type GetNumberUsernameCommand,
  getNumberUsernameV1,
  type GetMessageReply,
  getMessageV1,
  type GetPriceStatisticsReply,
  getPriceStatisticsV1,
  type GetSendCommand,
  type GetSendReply,
  getSendV1,
  type GetSendingCapacityCommand,
  type GetSendingCapacityReply,
  getSendingCapacityV1,
  type GetPersonKeysCommand,
  type GetPersonKeysReply,
  getPersonKeysV1,
  type GetSpendCapCommand,
  getSpendCapV1,
  type GetJobChargesCommand,
  type GetJobChargesReply,
  getJobChargesV1,
  type GetResultsCommand,
  type GetResultsReply,
  getResultsV1,
  type GetUsageCommand,
  type GetUsageReply,
  getUsageV1,
  type GetUpstreamVersionCommand,
  type GetUpstreamVersionReply,
  type ImportRatesCommand,
  type ImportRatesReply,
  importRatesV1,
  type LeaveBusinessCommand,
  type LeaveBusinessReply,
  leaveBusinessV1,
  type CountAudienceCommand,
  type CountAudienceReply,
  countAudienceV1,
  type ListAudienceCommand,
  type ListAudienceReply,
  listAudienceV1,
  type ListAccountNoticesCommand,
  type ListAccountNoticesReply,
  listAccountNoticesV1,
  type ListBlocksCommand,
  type ListBlocksReply,
  listBlocksV1,
  type ListActivitiesCommand,
  type ListActivitiesReply,
  listActivitiesV1,
  type ListContactsCommand,
  type ListContactsReply,
  listContactsV1,
  type ListConversationMessagesCommand,
  type ListConversationMessagesReply,
  listConversationMessagesV1,
  type ListConversationsCommand,
  type ListConversationsReply,
  listConversationsV1,
  type ListMediaFilesCommand,
  type ListMediaFilesReply,
  listMediaFilesV1,
  type ListMessagesCommand,
  type ListMessagesReply,
  listMessagesV1,
  type ListNotesCommand,
  type ListNotesReply,
  listNotesV1,
  type ListNumberChangesCommand,
  type ListNumberChangesReply,
  listNumberChangesV1,
  type ListNumbersCommand,
  type ListNumbersReply,
  listNumbersV1,
  type ListRatesCommand,
  type ListRatesReply,
  listRatesV1,
  type MarkReadCommand,
  type MarkReadReply,
  markReadV1,
  type MediaFileRecord,
  messagingCountSecretsV1,
  messagingGetUpstreamVersionV1,
  messagingResealSecretsV1,
  type NumberUsernameReply,
  type NoteOpenSendReply,
  noteOpenSendV1,
  type PrepareNumberCommand,
  type PrepareNumberReply,
  prepareNumberV1,
  type RemoveNumberCommand,
  type RemoveNumberReply,
  removeNumberV1,
  type ResealSecretsCommand,
  type ResealSecretsReply,
  type ResumeNumberCommand,
  type ResumeNumberReply,
  resumeNumberV1,
  type RunRetentionCommand,
  type RunRetentionReply,
  runRetentionV1,
  type SendMessageCommand,
  type SendMessageReply,
  sendMessageV1,
  type SetAccountSettingsCommand,
  setAccountSettingsV1,
  type SetNumberUsernameCommand,
  setNumberUsernameV1,
  type SetSpendCapCommand,
  setSpendCapV1,
  type ShowMessageCommand,
  type ShowMessageReply,
  showMessageV1,
  type SpendCapReply,
  type UpdateContactCommand,
  type UpdateContactReply,
  updateContactV1,
} from '@switchboard/contracts';

/**
 * Sends the commands of the messaging service. Every method also throws the errors of `Broker.request`. Without listed
 * callers, only the gateway may call a method: RabbitMQ rejects other services.
 */
@Injectable()
export class MessagingClient {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'request'>) {}

  /**
   * Checks opt-out, service window and template, sends one message to the upstream platform and returns its ids.
   * Callers: gateway, otp.
   * @throws AppError RECIPIENT_OPTED_OUT, RECIPIENT_BLOCKED, WINDOW_CLOSED, PHONE_REQUIRED, INVALID_PARAMETER,
   * NUMBER_STOPPED, INVALID_VALUE, TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED, TEMPLATE_PARAMS_MISMATCH,
   * SPEND_CAP_REACHED or RATE_UNKNOWN before anything is sent; UPSTREAM_ERROR or UPSTREAM_THROTTLED from the platform;
   * UPSTREAM_TIMEOUT when the outcome is unknown
   */
  sendMessage(request: SendMessageCommand, options?: RequestOptions): Promise<SendMessageReply> {
    return this.broker.request(sendMessageV1, request, options);
  }

  /**
   * Records a send whose outcome is unknown to the caller, unless messaging already has it. The message then fails as
   * not sent, unless a repeated send starts first. Idempotent.
   */
  noteOpenSend(request: SendMessageCommand): Promise<NoteOpenSendReply> {
    return this.broker.request(noteOpenSendV1, request);
  }

  /**
   * Returns the state of a send, for a service whose `sendMessage` call received no reply.
   * Callers: jobs, otp.
   */
  getSend(request: GetSendCommand): Promise<GetSendReply> {
    return this.broker.request(getSendV1, request);
  }

  /**
   * Adds an uploaded file, whose bytes are in the blob store. A repeat returns the first result.
   * @throws AppError MEDIA_QUOTA_EXCEEDED
   */
  addMediaFile(request: AddMediaFileCommand): Promise<AddMediaFileReply> {
    return this.broker.request(addMediaFileV1, request);
  }

  /** @throws AppError NOT_FOUND when the account has no such uploaded file */
  getMediaFile(request: GetMediaFileCommand): Promise<MediaFileRecord> {
    return this.broker.request(getMediaFileV1, request);
  }

  /** @throws AppError NOT_FOUND, MEDIA_IN_USE while an unfinished job uses the file */
  deleteMediaFile(request: GetMediaFileCommand): Promise<DeleteMediaFileReply> {
    return this.broker.request(deleteMediaFileV1, request);
  }

  /**
   * Returns one page of an account's uploaded files, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  listMediaFiles(request: ListMediaFilesCommand): Promise<ListMediaFilesReply> {
    return this.broker.request(listMediaFilesV1, request);
  }

  /**
   * Returns one page of an account's messages, newest first.
   * @throws AppError INVALID_PARAMETER for an unknown status or an invalid cursor
   */
  listMessages(request: ListMessagesCommand): Promise<ListMessagesReply> {
    return this.broker.request(listMessagesV1, request);
  }

  /**
   * Returns one message of an account, even while its outcome is unknown.
   * @throws AppError NOT_FOUND when the account has no such message
   */
  getMessage(request: GetMessageCommand): Promise<GetMessageReply> {
    return this.broker.request(getMessageV1, request);
  }

  /** Returns messages of any account by internal or upstream id, without their content, for operators. */
  showMessage(request: ShowMessageCommand): Promise<ShowMessageReply> {
    return this.broker.request(showMessageV1, request);
  }

  /**
   * Returns the storage location of a received media object. First downloads it from the upstream platform if
   * necessary.
   * @throws AppError NOT_FOUND when the account has no such object or its bytes are lost; UPSTREAM_ERROR,
   * UPSTREAM_TIMEOUT
   */
  getMedia(request: GetMediaCommand): Promise<GetMediaReply> {
    return this.broker.request(getMediaV1, request);
  }

  /**
   * Shows the contact that a message was read or that a reply is being typed. Older messages of the conversation also
   * count as read.
   * @throws AppError NOT_FOUND; INVALID_PARAMETER for an outbound message; NUMBER_STOPPED; upstream errors
   */
  markRead(request: MarkReadCommand): Promise<MarkReadReply> {
    return this.broker.request(markReadV1, request);
  }

  /**
   * Returns one page of an account's conversations, most recent message first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  listConversations(request: ListConversationsCommand): Promise<ListConversationsReply> {
    return this.broker.request(listConversationsV1, request);
  }

  /** Returns an account's labels by name, each with the number of its contacts up to a limit. */
  listLabels(request: ListLabelsCommand): Promise<ListLabelsReply> {
    return this.broker.request(listLabelsV1, request);
  }

  /** @throws AppError INVALID_VALUE for a name in use, or too many labels */
  createLabel(request: CreateLabelCommand): Promise<LabelReply> {
    return this.broker.request(createLabelV1, request);
  }

  /**
   * Renames or recolours a label.
   * @throws AppError NOT_FOUND, INVALID_VALUE for a name in use
   */
  changeLabel(request: ChangeLabelCommand): Promise<LabelReply> {
    return this.broker.request(changeLabelV1, request);
  }

  /**
   * Deletes a label and removes it from all contacts.
   * @throws AppError NOT_FOUND
   */
  deleteLabel(request: DeleteLabelCommand): Promise<DeleteLabelReply> {
    return this.broker.request(deleteLabelV1, request);
  }

  /**
   * Adds one label to a contact, or removes it.
   * @throws AppError NOT_FOUND
   */
  labelContact(request: LabelContactCommand): Promise<LabelContactReply> {
    return this.broker.request(labelContactV1, request);
  }

  /**
   * Replaces a contact's labels by names, and creates those that do not exist.
   * @throws AppError NOT_FOUND, INVALID_VALUE for too many labels
   */
  setContactLabels(request: SetContactLabelsCommand): Promise<UpdateContactReply> {
    return this.broker.request(setContactLabelsV1, request);
  }

  /** Counts the conversations in each view of the queue, up to a limit. */
  countConversations(request: CountConversationsCommand): Promise<CountConversationsReply> {
    return this.broker.request(countConversationsV1, request);
  }

  /**
   * Assigns a conversation, marks it as done or reopens it, or marks its messages as seen.
   * @throws AppError NOT_FOUND; ASSIGNEE_CHANGED if another user has assigned it since
   */
  changeConversation(request: ChangeConversationCommand): Promise<ChangeConversationReply> {
    return this.broker.request(changeConversationV1, request);
  }

  /**
   * Returns one page of the messages between an account and one contact, newest first.
   * @throws AppError NOT_FOUND when the account has no message with this phone number or user id; INVALID_PARAMETER for
   * an invalid cursor
   */
  listConversationMessages(request: ListConversationMessagesCommand): Promise<ListConversationMessagesReply> {
    return this.broker.request(listConversationMessagesV1, request);
  }

  /**
   * Stores an internal note about a contact. A repeated request with the same id stores no second note.
   * @throws AppError NOT_FOUND
   */
  createNote(request: CreateNoteCommand): Promise<CreateNoteReply> {
    return this.broker.request(createNoteV1, request);
  }

  /** @throws AppError NOT_FOUND; ROLE_NOT_ALLOWED if another user than `authorId` wrote the note */
  deleteNote(request: DeleteNoteCommand): Promise<DeleteNoteReply> {
    return this.broker.request(deleteNoteV1, request);
  }

  /**
   * Returns one page of an account's internal notes, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  listNotes(request: ListNotesCommand): Promise<ListNotesReply> {
    return this.broker.request(listNotesV1, request);
  }

  /**
   * Returns one page of the changes of an account's conversation queue, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  listActivities(request: ListActivitiesCommand): Promise<ListActivitiesReply> {
    return this.broker.request(listActivitiesV1, request);
  }

  /**
   * Returns one page of an account's contacts, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  listContacts(request: ListContactsCommand): Promise<ListContactsReply> {
    return this.broker.request(listContactsV1, request);
  }

  /**
   * Counts the contacts of an audience.
   * @throws AppError NOT_FOUND for an unknown label
   */
  countAudience(request: CountAudienceCommand): Promise<CountAudienceReply> {
    return this.broker.request(countAudienceV1, request);
  }

  /**
   * Returns one page of the contacts of an audience, newest first.
   * Callers: jobs.
   * @throws AppError NOT_FOUND for an unknown label
   */
  listAudience(request: ListAudienceCommand): Promise<ListAudienceReply> {
    return this.broker.request(listAudienceV1, request);
  }

  /**
   * Returns one contact with its service windows, by contact id, phone number or user id.
   * @throws AppError NOT_FOUND when the account has no such contact
   */
  getContact(request: GetContactCommand): Promise<GetContactReply> {
    return this.broker.request(getContactV1, request);
  }

  /**
   * Returns the keys of the contacts with these user ids, without unknown ones.
   * Callers: jobs.
   */
  getPersonKeys(request: GetPersonKeysCommand): Promise<GetPersonKeysReply> {
    return this.broker.request(getPersonKeysV1, request);
  }

  /** Updates a contact by phone number or user id. Creates the contact if the account has none. */
  updateContact(request: UpdateContactCommand): Promise<UpdateContactReply> {
    return this.broker.request(updateContactV1, request);
  }

  /**
   * Updates an existing contact by contact id.
   * @throws AppError NOT_FOUND when the account has no such contact
   */
  changeContact(request: ChangeContactCommand): Promise<UpdateContactReply> {
    return this.broker.request(changeContactV1, request);
  }

  /**
   * Erases a bounded number of a contact's messages and media, and in the last step the contact. Call it until `done`
   * is true.
   * @throws AppError NOT_FOUND when the account has no such contact
   */
  eraseContact(request: EraseContactCommand): Promise<EraseContactReply> {
    return this.broker.request(eraseContactV1, request);
  }

  /**
   * Returns one page of the contacts that an account's numbers block at the upstream platform, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  listBlocks(request: ListBlocksCommand): Promise<ListBlocksReply> {
    return this.broker.request(listBlocksV1, request);
  }

  /**
   * Adds a contact to a business number's block list at the upstream platform, or removes it. Idempotent.
   * @throws AppError INVALID_PARAMETER when there is no such number; NUMBER_STOPPED; WINDOW_CLOSED when the contact has
   * not written within 24 hours; INVALID_VALUE when the list is full; upstream errors
   */
  changeBlock(request: ChangeBlockCommand): Promise<ChangeBlockReply> {
    return this.broker.request(changeBlockV1, request);
  }

  /**
   * Reads the user name of a business number from the upstream platform.
   * @throws AppError NOT_FOUND when the account has no such number; errors of the upstream platform
   */
  getNumberUsername(request: GetNumberUsernameCommand): Promise<NumberUsernameReply> {
    return this.broker.request(getNumberUsernameV1, request);
  }

  /**
   * Sets or deletes the user name of a business number at the upstream platform. Safe to repeat.
   * @throws AppError NOT_FOUND when the account has no such number; INVALID_VALUE when the user name is not available;
   * other errors of the upstream platform
   */
  setNumberUsername(request: SetNumberUsernameCommand): Promise<NumberUsernameReply> {
    return this.broker.request(setNumberUsernameV1, request);
  }

  /** Returns the account's business numbers, the primary number first. */
  listNumbers(request: ListNumbersCommand): Promise<ListNumbersReply> {
    return this.broker.request(listNumbersV1, request);
  }

  /**
   * Adds a business number to an account, or replaces the credentials of one of its numbers.
   * @throws AppError INVALID_PARAMETER when the number belongs to another account or business account; UPSTREAM_ERROR
   * when the token has no access to the number
   */
  addNumber(request: AddNumberCommand): Promise<AddNumberReply> {
    return this.broker.request(addNumberV1, request);
  }

  /**
   * Removes a business number from an account and deletes its credentials. Its messages stay readable.
   * @throws AppError NOT_FOUND; INVALID_PARAMETER while the outcome of one of its messages is unknown
   */
  removeNumber(request: RemoveNumberCommand): Promise<RemoveNumberReply> {
    return this.broker.request(removeNumberV1, request);
  }

  /**
   * Resumes sending from a stopped number. Has no effect on other numbers.
   * @throws AppError NOT_FOUND when the account has no such number
   */
  resumeNumber(request: ResumeNumberCommand): Promise<ResumeNumberReply> {
    return this.broker.request(resumeNumberV1, request);
  }

  /**
   * Checks at the upstream platform whether a number can send and receive.
   * @throws AppError NOT_FOUND when the account does not have the number and the request has no credentials;
   * UPSTREAM_ERROR, UPSTREAM_THROTTLED
   */
  checkNumber(request: CheckNumberCommand): Promise<CheckNumberReply> {
    return this.broker.request(checkNumberV1, request);
  }

  /**
   * Performs one step at the upstream platform: subscribes the app to the business account, registers the number with a
   * PIN, or sets its profile. Idempotent.
   * @throws AppError MISSING_FIELD or INVALID_VALUE for the PIN; UPSTREAM_ERROR with the reason from the platform
   */
  prepareNumber(request: PrepareNumberCommand): Promise<PrepareNumberReply> {
    return this.broker.request(prepareNumberV1, request);
  }

  /**
   * Stops the template sync of a business account in which the account has no number. Idempotent.
   * @throws AppError INVALID_PARAMETER while the account has a number in the business account
   */
  leaveBusiness(request: LeaveBusinessCommand): Promise<LeaveBusinessReply> {
    return this.broker.request(leaveBusinessV1, request);
  }

  /**
   * Returns one page of the history of a business number's quality, limit, throughput and status, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  listNumberChanges(request: ListNumberChangesCommand): Promise<ListNumberChangesReply> {
    return this.broker.request(listNumberChangesV1, request);
  }

  /**
   * Returns one page of the upstream platform's notices about an account's businesses and numbers, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  listAccountNotices(request: ListAccountNoticesCommand): Promise<ListAccountNoticesReply> {
    return this.broker.request(listAccountNoticesV1, request);
  }

  /**
   * Returns the messaging settings of an account.
   * Callers: gateway, jobs.
   */
  getAccountSettings(request: GetAccountSettingsCommand): Promise<AccountSettingsReply> {
    return this.broker.request(getAccountSettingsV1, request);
  }

  /**
   * Updates the messaging settings of an account: window policy, opt-out and opt-in words, retention, marketing
   * endpoint.
   */
  setAccountSettings(request: SetAccountSettingsCommand): Promise<AccountSettingsReply> {
    return this.broker.request(setAccountSettingsV1, request);
  }

  /**
   * Deletes a bounded number of messages and media that exceed their accounts' retention. Call it until `done` is true.
   */
  runRetention(request: RunRetentionCommand): Promise<RunRetentionReply> {
    return this.broker.request(runRetentionV1, request);
  }

  /** Returns the number of an account's messages by state, per hour or day. */
  getFigures(request: StatisticsSpanCommand): Promise<GetMessageStatisticsReply> {
    return this.broker.request(getMessageStatisticsV1, request);
  }

  /** Returns the number of an account's messages by upstream pricing, per hour or day. */
  getPriceFigures(request: StatisticsSpanCommand): Promise<GetPriceStatisticsReply> {
    return this.broker.request(getPriceStatisticsV1, request);
  }

  /**
   * Checks the number, the template and the recipients' variables of a bulk job before any recipient is stored.
   * Callers: jobs.
   * @throws AppError as `sendMessage` does for the number and the template; errors of single recipients are in the
   * reply
   */
  checkJob(request: CheckJobCommand): Promise<CheckJobReply> {
    return this.broker.request(checkJobV1, request);
  }

  /**
   * Returns the expected prices and rejections of one message to many recipients.
   * Callers: jobs.
   * @throws AppError INVALID_VALUE if the account has no such number
   */
  estimateSends(request: EstimateSendsCommand): Promise<EstimateSendsReply> {
    return this.broker.request(estimateSendsV1, request);
  }

  /**
   * Returns the throughput and the remaining messaging limits of business numbers.
   * Callers: jobs, gateway.
   */
  getSendingCapacity(request: GetSendingCapacityCommand): Promise<GetSendingCapacityReply> {
    return this.broker.request(getSendingCapacityV1, request);
  }

  /** Returns an account's delivered messages of a month with their pricing and price. */
  getUsage(request: GetUsageCommand): Promise<GetUsageReply> {
    return this.broker.request(getUsageV1, request);
  }

  /** Returns what became of an account's messages by template, job, label or agent. */
  getResults(request: GetResultsCommand): Promise<GetResultsReply> {
    return this.broker.request(getResultsV1, request);
  }

  /** Returns the charges that the platform has reported for bulk jobs. */
  getJobCharges(request: GetJobChargesCommand, options?: RequestOptions): Promise<GetJobChargesReply> {
    return this.broker.request(getJobChargesV1, request, options);
  }

  /** Returns an account's spend cap with the amounts of the current month. */
  getSpendCap(request: GetSpendCapCommand): Promise<SpendCapReply> {
    return this.broker.request(getSpendCapV1, request);
  }

  /**
   * Sets, changes or removes an account's spend cap.
   * @throws AppError INVALID_VALUE when the rate card has no rate in the currency
   */
  setSpendCap(request: SetSpendCapCommand): Promise<SpendCapReply> {
    return this.broker.request(setSpendCapV1, request);
  }

  /** Returns the installation's rate card: all rates, or those in force on a day. Callers: gateway, jobs. */
  listRates(request: ListRatesCommand): Promise<ListRatesReply> {
    return this.broker.request(listRatesV1, request);
  }

  /**
   * Adds rates to the installation's rate card and changes existing ones, or replaces the card. Safe to repeat.
   * @throws AppError INVALID_VALUE when the card has another currency, or for an unknown market
   */
  importRates(request: ImportRatesCommand): Promise<ImportRatesReply> {
    return this.broker.request(importRatesV1, request);
  }

  /** Returns the API version with which the service calls the upstream platform. */
  getUpstreamVersion(request: GetUpstreamVersionCommand): Promise<GetUpstreamVersionReply> {
    return this.broker.request(messagingGetUpstreamVersionV1, request);
  }

  /** Counts the encrypted values that the service stores, by encryption key. */
  countSecrets(request: CountSecretsCommand): Promise<CountSecretsReply> {
    return this.broker.request(messagingCountSecretsV1, request);
  }

  /**
   * Re-encrypts a bounded number of values of one column with the current key. Idempotent.
   * @throws AppError NOT_FOUND when the service has no such column
   */
  resealSecrets(request: ResealSecretsCommand): Promise<ResealSecretsReply> {
    return this.broker.request(messagingResealSecretsV1, request);
  }
}
