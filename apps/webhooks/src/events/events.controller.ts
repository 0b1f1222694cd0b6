import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler, EventHandler, PartlyHandledError, PermanentError } from '@switchboard/broker';
import {
  CallReceivedV1,
  callReceivedV1,
  ContactChangedV1,
  contactChangedV1,
  AccountNoticeRaisedV1,
  accountNoticeRaisedV1,
  JobFinishedV1,
  jobFinishedV1,
  JobPausedV1,
  jobPausedV1,
  MessageDeletedV1,
  messageDeletedV1,
  MessageEchoedV1,
  messageEchoedV1,
  MessageEditedV1,
  messageEditedV1,
  MessageHeldV1,
  messageHeldV1,
  messageReceivedV1,
  MessageReceivedV1,
  messageStatusChangedV1,
  MessageStatusChangedV1,
  messageStatusChangedV2,
  MessageStatusChangedV2,
  numberQualityChangedV1,
  NumberQualityChangedV1,
  SendTestEventCommand,
  type SendTestEventReply,
  sendTestEventV1,
  templateStatusChangedV1,
  TemplateStatusChangedV1,
} from '@switchboard/contracts';
import { isDatabaseAway } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import type { WebhooksConfig } from '../config';
import { EndpointsService } from '../endpoints/endpoints.service';
import { accountNoticeEvent, messageHeldEvent } from './account-event';
import { messageEchoEvent } from './business-app-event';
import {
  callEvent,
  contactChangedEvent,
  inboundMessageEvent,
  jobCompletedEvent,
  jobFailedEvent,
  jobPausedEvent,
  messageDeletedEvent,
  messageEditedEvent,
  messageStatusEvent,
  numberQualityEvent,
  templateStatusEvent,
} from './customer-event';
import { EventsService } from './events.service';
import { testEvent } from './test-event';

@Controller()
export class EventsController {
  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    private readonly events: EventsService,
    private readonly endpoints: EndpointsService,
  ) {}

  @EventHandler(messageReceivedV1)
  messageReceived(@Payload() message: MessageReceivedV1): Promise<void> {
    return this.events.recordEvent(inboundMessageEvent(message, this.config.PUBLIC_BASE_URL));
  }

  @EventHandler(messageStatusChangedV1)
  messageStatusChanged(@Payload() change: MessageStatusChangedV1): Promise<void> {
    return this.events.recordEvent(messageStatusEvent(change));
  }

  /** Stores as many changes as possible and requeues only the rest. */
  @EventHandler(messageStatusChangedV2)
  async messageStatusesChanged(@Payload() { changes }: MessageStatusChangedV2): Promise<void> {
    const outcomes = await Promise.allSettled(
      changes.map(async (change) => this.events.recordEvent(messageStatusEvent(change))),
    );
    const reasons: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    if (reasons.length === 0) return;
    // Requeue the whole event until the database is back (ADR 31).
    const away = reasons.find(isDatabaseAway);
    if (away !== undefined) throw away;
    const failed = changes.filter((_change, index) => outcomes[index]?.status === 'rejected');
    throw new PartlyHandledError(
      { changes: failed },
      reasons.find((reason) => !(reason instanceof PermanentError)) ?? reasons[0],
    );
  }

  @EventHandler(templateStatusChangedV1)
  templateStatusChanged(@Payload() change: TemplateStatusChangedV1): Promise<void> {
    return this.events.recordEvent(templateStatusEvent(change));
  }

  @EventHandler(numberQualityChangedV1)
  numberQualityChanged(@Payload() change: NumberQualityChangedV1): Promise<void> {
    return this.events.recordEvent(numberQualityEvent(change));
  }

  @EventHandler(jobPausedV1)
  jobPaused(@Payload() job: JobPausedV1): Promise<void> {
    return this.events.recordEvent(jobPausedEvent(job));
  }

  @EventHandler(jobFinishedV1)
  async jobFinished(@Payload() job: JobFinishedV1): Promise<void> {
    if (job.status === 'completed') await this.events.recordEvent(jobCompletedEvent(job));
    if (job.status === 'failed') await this.events.recordEvent(jobFailedEvent(job));
    // A cancelled job creates no event, because its owner requested the cancellation.
  }

  @EventHandler(messageEditedV1)
  messageEdited(@Payload() edit: MessageEditedV1): Promise<void> {
    return this.events.recordEvent(messageEditedEvent(edit, this.config.PUBLIC_BASE_URL));
  }

  @EventHandler(messageDeletedV1)
  messageDeleted(@Payload() deletion: MessageDeletedV1): Promise<void> {
    return this.events.recordEvent(messageDeletedEvent(deletion));
  }

  @EventHandler(contactChangedV1)
  contactChanged(@Payload() change: ContactChangedV1): Promise<void> {
    return this.events.recordEvent(contactChangedEvent(change));
  }

  @EventHandler(callReceivedV1)
  callReceived(@Payload() call: CallReceivedV1): Promise<void> {
    return this.events.recordEvent(callEvent(call));
  }

  @EventHandler(accountNoticeRaisedV1)
  accountNoticeRaised(@Payload() notice: AccountNoticeRaisedV1): Promise<void> {
    return this.events.recordEvent(accountNoticeEvent(notice));
  }

  @EventHandler(messageHeldV1)
  messageHeld(@Payload() message: MessageHeldV1): Promise<void> {
    return this.events.recordEvent(messageHeldEvent(message));
  }

  @EventHandler(messageEchoedV1)
  messageEchoed(@Payload() echo: MessageEchoedV1): Promise<void> {
    return this.events.recordEvent(messageEchoEvent(echo, this.config.PUBLIC_BASE_URL));
  }

  @CommandHandler(sendTestEventV1)
  async sendTestEvent(@Payload() { accountId, endpointId, kind }: SendTestEventCommand): Promise<SendTestEventReply> {
    await this.endpoints.requireEndpoint(accountId, endpointId);
    const event = testEvent(kind, { accountId, publicBaseUrl: this.config.PUBLIC_BASE_URL, now: new Date() });
    return { eventId: await this.events.recordEventFor(endpointId, event) };
  }
}
