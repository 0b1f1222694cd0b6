import { Injectable } from '@nestjs/common';
import {
  AppError,
  ConfirmRotationCommand,
  CreateEndpointCommand,
  createEndpointV1,
  DeleteEndpointCommand,
  ReplayDroppedCommand,
  ReplayEventCommand,
  RotateSecretCommand,
  rotateSecretV1,
  SendTestEventCommand,
  SwitchEndpointCommand,
  UpdateEndpointCommand,
  updateEndpointV1,
  type WebhookAcceptStatuses,
  type WebhookEndpointRecord,
  type WebhookEventKind,
  type WebhookReplayRecord,
  type WebhookRetrySchedule,
} from '@switchboard/contracts';
import { inTransit, SecretBox } from '@switchboard/platform';
import { WebhooksClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { ChangeBy } from '../request-context/console-user';

export interface EndpointChange {
  url?: string;
  verifyToken?: string;
  kinds?: WebhookEventKind[];
  allKinds?: boolean;
  maxInFlight?: number;
  acceptStatuses?: WebhookAcceptStatuses;
  retrySchedule?: WebhookRetrySchedule;
}

export interface NewEndpoint extends Omit<EndpointChange, 'allKinds'> {
  url: string;
  verifyToken: string;
}

/**
 * Changes an account's webhooks, for its users or operators. Each change is recorded with its actor. Secrets are
 * encrypted in transit through the broker.
 */
@Injectable()
export class WebhookChanges {
  constructor(
    private readonly webhooks: WebhooksClient,
    private readonly changes: AuditedChanges,
    private readonly box: SecretBox,
  ) {}

  /**
   * Creates an endpoint.
   * @returns the endpoint and its signing secret, which cannot be shown again
   * @throws AppError INVALID_LINK or INVALID_PARAMETER with the reason
   */
  async createEndpoint(
    by: ChangeBy,
    { verifyToken, ...options }: NewEndpoint,
  ): Promise<{ endpoint: WebhookEndpointRecord; secret: string }> {
    const entry = { action: 'webhook.create', target: by.accountId, details: { ...options } };
    const request = {
      ...options,
      sealedVerifyToken: this.box.seal(verifyToken, inTransit(createEndpointV1, 'sealedVerifyToken', by.accountId)),
    };
    const { endpoint, sealedSecret } = await this.changes.request(
      { ...by, ...entry },
      CreateEndpointCommand,
      request,
      (command) => this.webhooks.createEndpoint(command),
    );
    return { endpoint, secret: this.box.open(sealedSecret, inTransit(createEndpointV1, 'sealedSecret', by.accountId)) };
  }

  /** @throws AppError NOT_FOUND, INVALID_LINK, INVALID_PARAMETER, MISSING_FIELD for an empty change */
  async changeEndpoint(
    by: ChangeBy,
    endpointId: string,
    { verifyToken, ...change }: EndpointChange,
  ): Promise<WebhookEndpointRecord> {
    const details = { ...change, ...(verifyToken !== undefined && { verifyToken: 'changed' }) };
    if (Object.values(details).every((value) => value === undefined))
      throw new AppError('MISSING_FIELD', { message: 'give at least one field to change' });
    const place = inTransit(updateEndpointV1, 'sealedVerifyToken', by.accountId);
    const sealedVerifyToken = verifyToken === undefined ? undefined : this.box.seal(verifyToken, place);
    const { endpoint } = await this.changes.request(
      { ...by, action: 'webhook.change', target: endpointId, details },
      UpdateEndpointCommand,
      { ...change, endpointId, sealedVerifyToken },
      (command) => this.webhooks.updateEndpoint(command),
    );
    return endpoint;
  }

  /** Pauses or enables an endpoint. @throws AppError NOT_FOUND */
  async switchEndpoint(by: ChangeBy, endpointId: string, state: 'enabled' | 'paused'): Promise<WebhookEndpointRecord> {
    const action = state === 'enabled' ? 'webhook.enable' : 'webhook.pause';
    const { endpoint } = await this.changes.request(
      { ...by, action, target: endpointId },
      SwitchEndpointCommand,
      { endpointId, enabled: state === 'enabled' },
      (command) => this.webhooks.switchEndpoint(command),
    );
    return endpoint;
  }

  /** @returns the number of dropped deliveries @throws AppError NOT_FOUND */
  async deleteEndpoint(by: ChangeBy, endpointId: string): Promise<number> {
    const { dropped } = await this.changes.request(
      { ...by, action: 'webhook.delete', target: endpointId },
      DeleteEndpointCommand,
      { endpointId },
      (command) => this.webhooks.deleteEndpoint(command),
    );
    return dropped;
  }

  /**
   * @returns the new signing secret, which cannot be shown again, and the time until which the old secret also signs
   * @throws AppError NOT_FOUND
   */
  async rotateSecret(by: ChangeBy, endpointId: string): Promise<{ secret: string; rotationEndsAt: string }> {
    const { sealedSecret, rotationEndsAt } = await this.changes.request(
      { ...by, action: 'webhook.rotate-secret', target: endpointId },
      RotateSecretCommand,
      { endpointId },
      (command) => this.webhooks.rotateSecret(command),
    );
    return {
      secret: this.box.open(sealedSecret, inTransit(rotateSecretV1, 'sealedSecret', by.accountId)),
      rotationEndsAt,
    };
  }

  /** Completes a rotation; only the new secret signs from then on. @throws AppError NOT_FOUND if none is in progress */
  async confirmRotation(by: ChangeBy, endpointId: string): Promise<WebhookEndpointRecord> {
    const { endpoint } = await this.changes.request(
      { ...by, action: 'webhook.confirm-rotation', target: endpointId },
      ConfirmRotationCommand,
      { endpointId },
      (command) => this.webhooks.confirmRotation(command),
    );
    return endpoint;
  }

  /** @returns the event id, for searching the log @throws AppError NOT_FOUND */
  async sendTestEvent(by: ChangeBy, endpointId: string, kind: WebhookEventKind): Promise<string> {
    const { eventId } = await this.changes.request(
      { ...by, action: 'webhook.test', target: endpointId, details: { kind } },
      SendTestEventCommand,
      { endpointId, kind },
      (command) => this.webhooks.sendTestEvent(command),
    );
    return eventId;
  }

  /** @returns the number of new deliveries @throws AppError NOT_FOUND */
  async replayEvent(by: ChangeBy, eventId: string, endpointId?: string): Promise<number> {
    const { deliveries } = await this.changes.request(
      { ...by, action: 'webhook.replay', target: eventId, details: { endpointId } },
      ReplayEventCommand,
      { eventId, endpointId },
      (command) => this.webhooks.replayEvent(command),
    );
    return deliveries;
  }

  /**
   * @returns the replay, which runs in the background
   * @throws AppError NOT_FOUND for the endpoint; INVALID_VALUE if the number of deliveries differs from the counted one
   */
  async replayDropped(by: ChangeBy, wanted: Omit<ReplayDroppedCommand, 'accountId'>): Promise<WebhookReplayRecord> {
    const { replay } = await this.changes.request(
      { ...by, action: 'webhook.replay-dropped', target: wanted.endpointId ?? by.accountId, details: wanted },
      ReplayDroppedCommand,
      wanted,
      (command) => this.webhooks.replayDropped(command),
    );
    return replay;
  }
}
