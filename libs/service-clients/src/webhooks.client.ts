import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import {
  type ConfirmRotationCommand,
  type ConfirmRotationReply,
  confirmRotationV1,
  type CountDroppedReply,
  countDroppedV1,
  type CountSecretsCommand,
  type CountSecretsReply,
  type CreateEndpointCommand,
  type CreateEndpointReply,
  createEndpointV1,
  type DeleteEndpointCommand,
  type DeleteEndpointReply,
  deleteEndpointV1,
  type ErasePersonCommand,
  type ErasePersonReply,
  erasePersonV1,
  type EventRetentionReply,
  type StatisticsSpanCommand,
  type GetDeliveryStatisticsReply,
  getDeliveryStatisticsV1,
  type GetEndpointStatisticsCommand,
  type GetEndpointStatisticsReply,
  getEndpointStatisticsV1,
  type GetEventCommand,
  type GetEventReply,
  type GetEventRetentionCommand,
  getEventRetentionV1,
  getEventV1,
  type GetReplayCommand,
  type GetReplayReply,
  getReplayV1,
  type ListEndpointsCommand,
  type ListEndpointsReply,
  listEndpointsV1,
  type ListEventsCommand,
  type ListEventsReply,
  listEventsV1,
  type ListReplaysCommand,
  type ListReplaysReply,
  listReplaysV1,
  type ReplayDroppedCommand,
  type ReplayDroppedReply,
  replayDroppedV1,
  type ReplayEventCommand,
  type ReplayEventReply,
  replayEventV1,
  type ResealSecretsCommand,
  type ResealSecretsReply,
  type RotateSecretCommand,
  type RotateSecretReply,
  rotateSecretV1,
  type RunEventRetentionCommand,
  type RunEventRetentionReply,
  runEventRetentionV1,
  type SendTestEventCommand,
  type SendTestEventReply,
  sendTestEventV1,
  type SetEndpointCommand,
  type SetEndpointReply,
  setEndpointV1,
  type SetEventRetentionCommand,
  setEventRetentionV1,
  type SwitchEndpointCommand,
  type SwitchEndpointReply,
  switchEndpointV1,
  type UpdateEndpointCommand,
  type UpdateEndpointReply,
  updateEndpointV1,
  webhooksCountSecretsV1,
  webhooksResealSecretsV1,
} from '@switchboard/contracts';

/**
 * Sends the commands of the webhooks service. Every method also throws the errors of `Broker.request`. Without listed
 * callers, only the gateway may call a method: RabbitMQ rejects other services.
 */
@Injectable()
export class WebhooksClient {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'request'>) {}

  /** Returns all webhook endpoints of an account, oldest first. */
  listEndpoints(request: ListEndpointsCommand): Promise<ListEndpointsReply> {
    return this.broker.request(listEndpointsV1, request);
  }

  /** Returns delivery statistics since a time for each of an account's endpoints. */
  getEndpointFigures(request: GetEndpointStatisticsCommand): Promise<GetEndpointStatisticsReply> {
    return this.broker.request(getEndpointStatisticsV1, request);
  }

  /**
   * Checks the URL, runs the verification challenge and adds a webhook endpoint.
   * @throws AppError INVALID_LINK or INVALID_PARAMETER naming the failed check; nothing is changed then
   */
  createEndpoint(request: CreateEndpointCommand): Promise<CreateEndpointReply> {
    return this.broker.request(createEndpointV1, request);
  }

  /**
   * Updates the URL, verify token, event kinds or limits of an endpoint. Checks and challenges a new URL.
   * @throws AppError NOT_FOUND; INVALID_LINK or INVALID_PARAMETER naming the failed check
   */
  updateEndpoint(request: UpdateEndpointCommand): Promise<UpdateEndpointReply> {
    return this.broker.request(updateEndpointV1, request);
  }

  /**
   * Runs the verification challenge and sets the URL of the account's first webhook endpoint.
   * @throws AppError INVALID_LINK or INVALID_PARAMETER naming the failed check; nothing is changed then
   */
  setEndpoint(request: SetEndpointCommand): Promise<SetEndpointReply> {
    return this.broker.request(setEndpointV1, request);
  }

  /**
   * Pauses or enables an endpoint. Events of a paused endpoint are queued.
   * @throws AppError NOT_FOUND
   */
  switchEndpoint(request: SwitchEndpointCommand): Promise<SwitchEndpointReply> {
    return this.broker.request(switchEndpointV1, request);
  }

  /**
   * Deletes an endpoint permanently. Its pending deliveries are dropped and remain in the log.
   * @throws AppError NOT_FOUND
   */
  deleteEndpoint(request: DeleteEndpointCommand): Promise<DeleteEndpointReply> {
    return this.broker.request(deleteEndpointV1, request);
  }

  /**
   * Sends a sample event, marked `"test": true`, to one endpoint, whatever kinds it subscribes to.
   * @throws AppError NOT_FOUND
   */
  sendTestEvent(request: SendTestEventCommand): Promise<SendTestEventReply> {
    return this.broker.request(sendTestEventV1, request);
  }

  /**
   * Adds a new signing secret. Both secrets sign events for 24 hours or until `confirmRotation`.
   * @throws AppError NOT_FOUND
   */
  rotateSecret(request: RotateSecretCommand): Promise<RotateSecretReply> {
    return this.broker.request(rotateSecretV1, request);
  }

  /**
   * Completes the rotation of a signing secret; only the new secret signs from then on.
   * @throws AppError NOT_FOUND when no rotation is in progress
   */
  confirmRotation(request: ConfirmRotationCommand): Promise<ConfirmRotationReply> {
    return this.broker.request(confirmRotationV1, request);
  }

  /** Returns one page of an account's webhook events with their deliveries, newest first. */
  listEvents(request: ListEventsCommand): Promise<ListEventsReply> {
    return this.broker.request(listEventsV1, request);
  }

  /**
   * Returns one webhook event with its body, deliveries and attempts.
   * @throws AppError NOT_FOUND
   */
  getEvent(request: GetEventCommand): Promise<GetEventReply> {
    return this.broker.request(getEventV1, request);
  }

  /** Returns the number of an account's delivered and dropped deliveries, per hour or day. */
  getFigures(request: StatisticsSpanCommand): Promise<GetDeliveryStatisticsReply> {
    return this.broker.request(getDeliveryStatisticsV1, request);
  }

  /**
   * Replays one event, with the same bytes and the same event id.
   * @throws AppError NOT_FOUND when there is no such event, or no endpoint to deliver it to
   */
  replayEvent(request: ReplayEventCommand): Promise<ReplayEventReply> {
    return this.broker.request(replayEventV1, request);
  }

  /**
   * Starts a replay of all events dropped since a time, at a limited rate. `getReplay` returns its progress.
   * @throws AppError NOT_FOUND when the account has no such endpoint; INVALID_VALUE when the number of deliveries
   * differs from that in the request
   */
  replayDropped(request: ReplayDroppedCommand): Promise<ReplayDroppedReply> {
    return this.broker.request(replayDroppedV1, request);
  }

  /** Returns the number of dropped deliveries that `replayDropped` would replay for the same request. */
  countDropped(request: ReplayDroppedCommand): Promise<CountDroppedReply> {
    return this.broker.request(countDroppedV1, request);
  }

  /** Returns one page of an account's replays with their progress, newest first. */
  listReplays(request: ListReplaysCommand): Promise<ListReplaysReply> {
    return this.broker.request(listReplaysV1, request);
  }

  /**
   * Returns the progress of one replay.
   * @throws AppError NOT_FOUND
   */
  getReplay(request: GetReplayCommand): Promise<GetReplayReply> {
    return this.broker.request(getReplayV1, request);
  }

  /** Returns the retention of an account's webhook events, in days. */
  getEventRetention(request: GetEventRetentionCommand): Promise<EventRetentionReply> {
    return this.broker.request(getEventRetentionV1, request);
  }

  /** Updates the retention of an account's webhook events, in days. */
  setEventRetention(request: SetEventRetentionCommand): Promise<EventRetentionReply> {
    return this.broker.request(setEventRetentionV1, request);
  }

  /**
   * Deletes a bounded number of events older than their accounts' retention, with their deliveries and attempts. Call
   * it until `done` is true.
   */
  runEventRetention(request: RunEventRetentionCommand): Promise<RunEventRetentionReply> {
    return this.broker.request(runEventRetentionV1, request);
  }

  /**
   * Erases a bounded number of an account's events about a contact, by phone number and other identifiers. Call it
   * until `done` is true.
   */
  erasePerson(request: ErasePersonCommand): Promise<ErasePersonReply> {
    return this.broker.request(erasePersonV1, request);
  }

  /** Counts the encrypted values that the service stores, by encryption key. */
  countSecrets(request: CountSecretsCommand): Promise<CountSecretsReply> {
    return this.broker.request(webhooksCountSecretsV1, request);
  }

  /**
   * Re-encrypts a bounded number of values of one column with the current key. Idempotent.
   * @throws AppError NOT_FOUND when the service has no such column
   */
  resealSecrets(request: ResealSecretsCommand): Promise<ResealSecretsReply> {
    return this.broker.request(webhooksResealSecretsV1, request);
  }
}
