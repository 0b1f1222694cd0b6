import { createBroker } from '@switchboard/broker';
import {
  type AccountNoticeRaisedV1,
  accountNoticeRaisedV1,
  type BusinessLeftV1,
  businessLeftV1,
  type CallReceivedV1,
  callReceivedV1,
  type CodeUndeliveredV1,
  codeUndeliveredV1,
  type ContactChangedV1,
  contactChangedV1,
  type ListUsedMediaCommand,
  listUsedMediaV1,
  type GetTemplateCommand,
  getTemplateV1,
  isBroadcastTo,
  type JobMessagesChangedV1,
  jobMessagesChangedV1,
  type MessageContract,
  type MessageDeletedV1,
  type MessageEchoedV1,
  messageEchoedV1,
  messageDeletedV1,
  type MessageEditedV1,
  messageEditedV1,
  type MessageReceivedV1,
  messageReceivedV1,
  type MessageHeldV1,
  messageHeldV1,
  type MessageStatusChangedV1,
  type MessageStatusChangedV2,
  messageStatusChangedV1,
  messageStatusChangedV2,
  numberAddedV1,
  type NumberQualityChangedV1,
  numberQualityChangedV1,
  type NumberStoppedV1,
  numberStoppedV1,
  type ServiceName,
  type TemplateRecord,
} from '@switchboard/contracts';
import { silentLogger, startFakeService } from '@switchboard/testing';

/** State of the fake services, and the messages that they received. */
export interface Seen {
  /** Templates that the templates service has, by name. */
  templates: Map<string, TemplateRecord>;
  /** Names for which the templates service returns an error. */
  failingTemplates: Set<string>;
  /** Uploaded files that unfinished jobs use, by the jobs service. */
  usedMedia: Set<string>;
  /** Requests to the templates service. */
  templateQuestions: object[];
  statusEvents: MessageStatusChangedV1[];
  inboundEvents: MessageReceivedV1[];
  edits: MessageEditedV1[];
  deletions: MessageDeletedV1[];
  moves: ContactChangedV1[];
  calls: CallReceivedV1[];
  /** Events for jobs. */
  jobEvents: JobMessagesChangedV1[];
  /** Undelivered codes reported to the otp service. */
  undeliveredCodes: CodeUndeliveredV1[];
  numberEvents: object[];
  businessesLeft: BusinessLeftV1[];
  qualityEvents: NumberQualityChangedV1[];
  stoppedEvents: NumberStoppedV1[];
  noticeEvents: AccountNoticeRaisedV1[];
  heldEvents: MessageHeldV1[];
  echoEvents: MessageEchoedV1[];
  /** Contracts of messages that a service received more than once. */
  repeated: string[];
}

/** Starts fakes of the templates, webhooks, jobs, otp and gateway services, which record what they receive. */
export async function startNeighbours(
  url: string,
  namespace: string,
): Promise<{ seen: Seen; stop: () => Promise<void> }> {
  const seen: Seen = {
    templates: new Map(),
    failingTemplates: new Set(),
    usedMedia: new Set(),
    templateQuestions: [],
    statusEvents: [],
    inboundEvents: [],
    edits: [],
    deletions: [],
    moves: [],
    calls: [],
    jobEvents: [],
    undeliveredCodes: [],
    numberEvents: [],
    businessesLeft: [],
    qualityEvents: [],
    stoppedEvents: [],
    noticeEvents: [],
    heldEvents: [],
    echoEvents: [],
    repeated: [],
  };
  /** By contract: where its events are recorded. */
  const lists = new Map<string, object[]>([
    [numberAddedV1.name, seen.numberEvents],
    [businessLeftV1.name, seen.businessesLeft],
    [numberQualityChangedV1.name, seen.qualityEvents],
    [numberStoppedV1.name, seen.stoppedEvents],
    [messageHeldV1.name, seen.heldEvents],
    [messageEchoedV1.name, seen.echoEvents],
    [accountNoticeRaisedV1.name, seen.noticeEvents],
    [messageStatusChangedV1.name, seen.statusEvents],
    [messageReceivedV1.name, seen.inboundEvents],
    [messageEditedV1.name, seen.edits],
    [messageDeletedV1.name, seen.deletions],
    [contactChangedV1.name, seen.moves],
    [callReceivedV1.name, seen.calls],
    [jobMessagesChangedV1.name, seen.jobEvents],
    [codeUndeliveredV1.name, seen.undeliveredCodes],
    [getTemplateV1.name, seen.templateQuestions],
  ]);
  const take = ({ name: contractName }: MessageContract, body: object): object | undefined => {
    lists.get(contractName)?.push(body);
    if (contractName === messageStatusChangedV2.name)
      seen.statusEvents.push(...(body as MessageStatusChangedV2).changes);
    if (contractName === listUsedMediaV1.name)
      return { mediaIds: (body as ListUsedMediaCommand).mediaIds.filter((id) => seen.usedMedia.has(id)) };
    if (contractName !== getTemplateV1.name) return undefined;
    const { name } = body as GetTemplateCommand;
    if (seen.failingTemplates.has(name)) throw new Error('the templates service fails');
    return { template: seen.templates.get(name) ?? null };
  };
  const startOne = (service: ServiceName): Promise<() => Promise<void>> => {
    // The broker may deliver a message twice, but only after a failure.
    const handled = new Set<string>();
    const broker = createBroker({ service, url, namespace, logger: silentLogger });
    return startFakeService(service, broker, (contract, body, messageId) => {
      // A broadcast repeats an event that another service consumes.
      if (isBroadcastTo(contract, service)) return undefined;
      if (handled.has(messageId)) return void seen.repeated.push(contract.name);
      handled.add(messageId);
      return take(contract, body);
    });
  };
  const stops = await Promise.all((['templates', 'webhooks', 'jobs', 'otp', 'gateway'] as const).map(startOne));
  return { seen, stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}
