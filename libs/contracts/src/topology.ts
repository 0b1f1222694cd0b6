import { addNumberV1 } from './commands/add-number.v1';
import { checkJobV1 } from './commands/check-job.v1';
import { eraseContactV1 } from './commands/erase-contact.v1';
import { getAccountSettingsV1 } from './commands/get-account-settings.v1';
import { getJobV1 } from './commands/get-job.v1';
import { controlJobV1 } from './commands/control-job.v1';
import { createJobV1 } from './commands/create-job.v1';
import { createExcelJobV1 } from './commands/create-excel-job.v1';
import { jobsErasePersonV1 } from './commands/jobs-erase-person.v1';
import { listJobsV1 } from './commands/list-jobs.v1';
import { listRecipientsV1 } from './commands/list-recipients.v1';
import { retryFailedV1 } from './commands/retry-failed.v1';
import { stageJobRowsV1 } from './commands/stage-job-rows.v1';
import { jobFinishedV1 } from './events/job-finished.v1';
import { jobPausedV1 } from './events/job-paused.v1';
import { getMessageV1 } from './commands/get-message.v1';
import { getSendV1 } from './commands/get-send.v1';
import { getMediaV1 } from './commands/get-media.v1';
import { getTemplateV1 } from './commands/get-template.v1';
import { listContactsV1 } from './commands/list-contacts.v1';
import { listConversationMessagesV1 } from './commands/list-conversation-messages.v1';
import { listConversationsV1 } from './commands/list-conversations.v1';
import { listMessagesV1 } from './commands/list-messages.v1';
import { listNumbersV1 } from './commands/list-numbers.v1';
import { listTemplatesV1 } from './commands/list-templates.v1';
import { reserveCreditV1 } from './commands/reserve-credit.v1';
import { removeNumberV1 } from './commands/remove-number.v1';
import { resumeNumberV1 } from './commands/resume-number.v1';
import { runRetentionV1 } from './commands/run-retention.v1';
import { sendMessageV1 } from './commands/send-message.v1';
import { confirmRotationV1 } from './commands/confirm-rotation.v1';
import { createEndpointV1 } from './commands/create-endpoint.v1';
import { deleteEndpointV1 } from './commands/delete-endpoint.v1';
import { erasePersonV1 } from './commands/erase-person.v1';
import { getEventRetentionV1 } from './commands/get-event-retention.v1';
import { runEventRetentionV1 } from './commands/run-event-retention.v1';
import { runJobRetentionV1 } from './commands/run-job-retention.v1';
import { setEventRetentionV1 } from './commands/set-event-retention.v1';
import { getEventV1 } from './commands/get-event.v1';
import { getReplayV1 } from './commands/get-replay.v1';
import { listEndpointsV1 } from './commands/list-endpoints.v1';
import { listEventsV1 } from './commands/list-events.v1';
import { replayDroppedV1 } from './commands/replay-dropped.v1';
import { replayEventV1 } from './commands/replay-event.v1';
import { rotateSecretV1 } from './commands/rotate-secret.v1';
import { sendTestEventV1 } from './commands/send-test-event.v1';
import { setAccountSettingsV1 } from './commands/set-account-settings.v1';
import { switchEndpointV1 } from './commands/switch-endpoint.v1';
import { updateContactV1 } from './commands/update-contact.v1';
import { updateEndpointV1 } from './commands/update-endpoint.v1';
import { setEndpointV1 } from './commands/set-endpoint.v1';
import { createDraftV1 } from './commands/create-draft.v1';
import { updateDraftV1 } from './commands/update-draft.v1';
import { getDraftV1 } from './commands/get-draft.v1';
import { listDraftsV1 } from './commands/list-drafts.v1';
import { deleteDraftV1 } from './commands/delete-draft.v1';
import { submitDraftV1 } from './commands/submit-draft.v1';
import { editTemplateV1 } from './commands/edit-template.v1';
import { searchTemplatesV1 } from './commands/search-templates.v1';
import { showTemplateV1 } from './commands/show-template.v1';
import { deleteTemplateV1 } from './commands/delete-template.v1';
import { listTemplateEventsV1 } from './commands/list-template-events.v1';
import { requestSyncV1 } from './commands/request-sync.v1';
import { getSyncV1 } from './commands/get-sync.v1';
import { getOtpFiguresV1 } from './commands/get-otp-figures.v1';
import { getOtpSettingsV1 } from './commands/get-otp-settings.v1';
import { messagingCountSecretsV1, templatesCountSecretsV1, webhooksCountSecretsV1 } from './commands/count-secrets.v1';
import { otpErasePersonV1 } from './commands/otp-erase-person.v1';
import { messagingResealSecretsV1, templatesResealSecretsV1, webhooksResealSecretsV1 } from './commands/reseal-secrets.v1';
import { sendCodeV1 } from './commands/send-code.v1';
import { setOtpSettingsV1 } from './commands/set-otp-settings.v1';
import { verifyCodeV1 } from './commands/verify-code.v1';
import { accessChangedV1 } from './events/access-changed.v1';
import { endpointDegradedV1 } from './events/endpoint-degraded.v1';
import { jobMessagesChangedV1 } from './events/job-messages-changed.v1';
import { messageReceivedV1 } from './events/message-received.v1';
import { messageStatusChangedV1 } from './events/message-status-changed.v1';
import { numberAddedV1 } from './events/number-added.v1';
import { numberQualityChangedV1 } from './events/number-quality-changed.v1';
import { numberRemovedV1 } from './events/number-removed.v1';
import { numberStoppedV1 } from './events/number-stopped.v1';
import { templateContentChangedV1 } from './events/template-content-changed.v1';
import { templateStatusChangedV1 } from './events/template-status-changed.v1';
import { upstreamMessagesReceivedV1 } from './events/upstream-messages-received.v1';
import { upstreamNumberChangedV1 } from './events/upstream-number-changed.v1';
import { upstreamTemplateChangedV1 } from './events/upstream-template-changed.v1';
import type { CommandContract, EventContract, MessageContract, TaskContract } from './message-contract';
import type { BrokerLogin, ServiceName } from './services';
import { deliverEventV1 } from './tasks/deliver-event.v1';
import { fetchMediaV1 } from './tasks/fetch-media.v1';
import { codeUndeliveredV1 } from './tasks/code-undelivered.v1';
import { refundCreditV1 } from './tasks/refund-credit.v1';
import { returnCreditV1 } from './tasks/return-credit.v1';
import { failJobMessagesV1 } from './tasks/fail-job-messages.v1';
import { sendJobMessagesV1 } from './tasks/send-job-messages.v1';
import { settleCreditV1 } from './tasks/settle-credit.v1';

/** Topic exchange of the replies to commands. */
export const REPLIES_EXCHANGE = 'sb.replies';
/** Topic exchange of the events that every process of a service hears; fed by the exchanges of their producers. */
export const BROADCASTS_EXCHANGE = 'sb.broadcasts';

/** How long a message waits after our own failure before it is tried again, in seconds; the last delay repeats. */
export const FAILURE_DELAYS_SECONDS = [1, 10, 60] as const;
/** After so many failed tries of ours a message goes to the dead letters. */
export const MAX_FAILURES = 20;

export const COMMANDS: readonly CommandContract[] = [
  sendMessageV1,
  getSendV1,
  checkJobV1,
  listMessagesV1,
  getMessageV1,
  updateContactV1,
  setAccountSettingsV1,
  runRetentionV1,
  listConversationsV1,
  listConversationMessagesV1,
  listContactsV1,
  getAccountSettingsV1,
  eraseContactV1,
  listNumbersV1,
  addNumberV1,
  removeNumberV1,
  resumeNumberV1,
  getMediaV1,
  listTemplatesV1,
  getTemplateV1,
  createDraftV1,
  updateDraftV1,
  getDraftV1,
  listDraftsV1,
  deleteDraftV1,
  submitDraftV1,
  editTemplateV1,
  searchTemplatesV1,
  showTemplateV1,
  deleteTemplateV1,
  listTemplateEventsV1,
  requestSyncV1,
  getSyncV1,
  verifyCodeV1,
  sendCodeV1,
  getOtpSettingsV1,
  setOtpSettingsV1,
  getOtpFiguresV1,
  otpErasePersonV1,
  getJobV1,
  createJobV1,
  createExcelJobV1,
  stageJobRowsV1,
  listJobsV1,
  listRecipientsV1,
  controlJobV1,
  retryFailedV1,
  jobsErasePersonV1,
  runJobRetentionV1,
  reserveCreditV1,
  setEndpointV1,
  confirmRotationV1,
  createEndpointV1,
  deleteEndpointV1,
  erasePersonV1,
  getEventRetentionV1,
  setEventRetentionV1,
  messagingCountSecretsV1,
  templatesCountSecretsV1,
  webhooksCountSecretsV1,
  messagingResealSecretsV1,
  templatesResealSecretsV1,
  webhooksResealSecretsV1,
  runEventRetentionV1,
  getEventV1,
  getReplayV1,
  listEndpointsV1,
  listEventsV1,
  replayDroppedV1,
  replayEventV1,
  rotateSecretV1,
  sendTestEventV1,
  switchEndpointV1,
  updateEndpointV1,
];
export const TASKS: readonly TaskContract[] = [deliverEventV1, fetchMediaV1, sendJobMessagesV1, failJobMessagesV1, settleCreditV1, refundCreditV1, returnCreditV1, codeUndeliveredV1];
export const EVENTS: readonly EventContract[] = [
  upstreamMessagesReceivedV1,
  upstreamTemplateChangedV1,
  upstreamNumberChangedV1,
  accessChangedV1,
  messageReceivedV1,
  messageStatusChangedV1,
  jobMessagesChangedV1,
  numberAddedV1,
  numberRemovedV1,
  numberQualityChangedV1,
  numberStoppedV1,
  templateStatusChangedV1,
  templateContentChangedV1,
  endpointDegradedV1,
  jobPausedV1,
  jobFinishedV1,
];
export const ALL_CONTRACTS: readonly MessageContract[] = [...COMMANDS, ...TASKS, ...EVENTS];

/** Everything a service must handle: the commands and tasks it owns, the events it consumes or its processes listen to. */
export function contractsHandledBy(service: ServiceName): MessageContract[] {
  return [
    ...COMMANDS.filter((contract) => contract.owner === service),
    ...TASKS.filter((contract) => contract.owner === service),
    ...EVENTS.filter((contract) => contract.consumers.includes(service) || isBroadcastTo(contract, service)),
  ];
}

/** Whether every process of the service hears the event, instead of one of them taking it from the service's queue. */
export function isBroadcastTo(contract: MessageContract, service: ServiceName): contract is EventContract {
  return contract.kind === 'event' && (contract.broadcastTo?.includes(service) ?? false);
}

/** The services that send a message. */
export function sendersOf(contract: MessageContract): readonly ServiceName[] {
  if (contract.kind === 'command') return contract.askers;
  return contract.kind === 'task' ? contract.senders : [contract.producer, ...(contract.alsoPublishedBy ?? [])];
}

/** The direct exchange to which this login publishes, and no other one may: what is bound to it is what it can reach. */
export function exchangeOf(login: BrokerLogin): string {
  return `sb.${login}`;
}

/** The queue on which a service receives a message: a command's or task's name, `<consumer>.<event>` for an event. */
export function queueOf(contract: MessageContract, consumer: ServiceName): string {
  return contract.kind === 'event' ? `${consumer}.${contract.name}` : contract.name;
}

/** The queue whose messages come back to `queue` after `seconds`. */
export function waitQueueOf(queue: string, seconds: number): string {
  return `${queue}.wait.${seconds}`;
}

/** Where messages of `queue` go that nobody can handle. */
export function deadLetterQueueOf(queue: string): string {
  return `${queue}.dlq`;
}
