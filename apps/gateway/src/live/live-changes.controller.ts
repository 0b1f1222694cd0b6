import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { Broker, EventHandler } from '@switchboard/broker';
import {
  AccountNoticeRaisedV1,
  accountNoticeRaisedV1,
  CallReceivedV1,
  callReceivedV1,
  ContactChangedV1,
  contactChangedV1,
  DeliveriesAttemptedV1,
  deliveriesAttemptedV1,
  JobsProgressedV1,
  jobsProgressedV1,
  MessageDeletedV1,
  messageDeletedV1,
  MessageEchoedV1,
  messageEchoedV1,
  MessageEditedV1,
  messageEditedV1,
  MessageHeldV1,
  messageHeldV1,
  MessageReceivedV1,
  messageReceivedV1,
  MessageStatusChangedV1,
  messageStatusChangedV1,
  MessageStatusChangedV2,
  messageStatusChangedV2,
  NumberQualityChangedV1,
  numberQualityChangedV1,
  NumberRemovedV1,
  numberRemovedV1,
  TemplateContentChangedV1,
  templateContentChangedV1,
  TemplateStatusChangedV1,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { LiveStreams } from './live-streams.service';

/** Passes the ids of changes to the dashboards connected to this gateway. Every gateway receives every event. */
@Controller()
export class LiveChangesController {
  constructor(
    private readonly streams: LiveStreams,
    broker: Broker,
  ) {
    broker.onBroadcastsMissed(() => streams.resync());
  }

  @EventHandler(messageReceivedV1)
  messageReceived(@Payload() { accountId, id }: MessageReceivedV1): void {
    this.streams.note(accountId, 'message', id);
  }

  @EventHandler(messageEditedV1)
  messageEdited(@Payload() { accountId, id }: MessageEditedV1): void {
    this.streams.note(accountId, 'message', id ?? undefined);
  }

  @EventHandler(messageDeletedV1)
  messageDeleted(@Payload() { accountId, id }: MessageDeletedV1): void {
    this.streams.note(accountId, 'message', id ?? undefined);
  }

  @EventHandler(messageEchoedV1)
  messageEchoed(@Payload() { accountId, id }: MessageEchoedV1): void {
    this.streams.note(accountId, 'message', id ?? undefined);
  }

  @EventHandler(callReceivedV1)
  callReceived(@Payload() { accountId, id }: CallReceivedV1): void {
    this.streams.note(accountId, 'message', id);
  }

  @EventHandler(contactChangedV1)
  contactChanged(@Payload() { accountId, id }: ContactChangedV1): void {
    this.streams.note(accountId, 'message', id);
  }

  @EventHandler(messageStatusChangedV1)
  messageStatusChanged(@Payload() { accountId, id }: MessageStatusChangedV1): void {
    this.streams.note(accountId, 'status', id);
  }

  @EventHandler(messageStatusChangedV2)
  messageStatusesChanged(@Payload() { changes }: MessageStatusChangedV2): void {
    for (const { accountId, id } of changes) this.streams.note(accountId, 'status', id);
  }

  @EventHandler(messageHeldV1)
  messageHeld(@Payload() { accountId, id }: MessageHeldV1): void {
    this.streams.note(accountId, 'status', id);
  }

  @EventHandler(jobsProgressedV1)
  jobsProgressed(@Payload() { jobs }: JobsProgressedV1): void {
    for (const { accountId, jobId } of jobs) this.streams.note(accountId, 'job', jobId);
  }

  @EventHandler(templateStatusChangedV1)
  templateStatusChanged(@Payload() { accountId, templateId }: TemplateStatusChangedV1): void {
    this.streams.note(accountId, 'template', templateId);
  }

  @EventHandler(templateContentChangedV1)
  templateContentChanged(@Payload() { accountId }: TemplateContentChangedV1): void {
    this.streams.note(accountId, 'template');
  }

  @EventHandler(numberQualityChangedV1)
  numberQualityChanged(@Payload() { accountId, numberId }: NumberQualityChangedV1): void {
    this.streams.note(accountId, 'number', numberId);
  }

  @EventHandler(numberRemovedV1)
  numberRemoved(@Payload() { accountId, numberId }: NumberRemovedV1): void {
    this.streams.note(accountId, 'number', numberId);
  }

  @EventHandler(deliveriesAttemptedV1)
  deliveriesAttempted(@Payload() { accountIds }: DeliveriesAttemptedV1): void {
    for (const accountId of accountIds) this.streams.note(accountId, 'webhook');
  }

  @EventHandler(accountNoticeRaisedV1)
  accountNoticeRaised(@Payload() { accountId }: AccountNoticeRaisedV1): void {
    this.streams.note(accountId, 'notice');
  }
}
