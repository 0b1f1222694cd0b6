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
  getTemplateV1,
  type JobMessagesChangedV1,
  jobMessagesChangedV1,
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
  type TemplateRecord,
} from '@switchboard/contracts';
import { startStandIn } from './stand-in';

/** State of the fake services, and the messages that they received. */
export interface Seen {
  /** Templates that the templates service has, by name. */
  templates: Map<string, TemplateRecord>;
  /** Names for which the templates service fails. */
  failingTemplates: Set<string>;
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
  const take = (contractName: string, body: object): object | undefined => {
    if (contractName === numberAddedV1.name) seen.numberEvents.push(body);
    if (contractName === businessLeftV1.name) seen.businessesLeft.push(body as BusinessLeftV1);
    if (contractName === numberQualityChangedV1.name) seen.qualityEvents.push(body as NumberQualityChangedV1);
    if (contractName === numberStoppedV1.name) seen.stoppedEvents.push(body as NumberStoppedV1);
    if (contractName === messageHeldV1.name) seen.heldEvents.push(body as MessageHeldV1);
    if (contractName === messageEchoedV1.name) seen.echoEvents.push(body as MessageEchoedV1);
    if (contractName === accountNoticeRaisedV1.name) seen.noticeEvents.push(body as AccountNoticeRaisedV1);
    if (contractName === messageStatusChangedV1.name) seen.statusEvents.push(body as MessageStatusChangedV1);
    if (contractName === messageStatusChangedV2.name)
      seen.statusEvents.push(...(body as MessageStatusChangedV2).changes);
    if (contractName === messageReceivedV1.name) seen.inboundEvents.push(body as MessageReceivedV1);
    if (contractName === messageEditedV1.name) seen.edits.push(body as MessageEditedV1);
    if (contractName === messageDeletedV1.name) seen.deletions.push(body as MessageDeletedV1);
    if (contractName === contactChangedV1.name) seen.moves.push(body as ContactChangedV1);
    if (contractName === callReceivedV1.name) seen.calls.push(body as CallReceivedV1);
    if (contractName === jobMessagesChangedV1.name) seen.jobEvents.push(body as JobMessagesChangedV1);
    if (contractName === codeUndeliveredV1.name) seen.undeliveredCodes.push(body as CodeUndeliveredV1);
    if (contractName !== getTemplateV1.name) return undefined;
    seen.templateQuestions.push(body);
    if (seen.failingTemplates.has((body as { name: string }).name)) throw new Error('the templates service fails');
    return { template: seen.templates.get((body as { name: string }).name) ?? null };
  };
  const repeated = (contractName: string): void => void seen.repeated.push(contractName);
  const stops = await Promise.all(
    (['templates', 'webhooks', 'jobs', 'otp', 'gateway'] as const).map((service) =>
      startStandIn({ service, url, namespace, take, repeated }),
    ),
  );
  return { seen, stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}
