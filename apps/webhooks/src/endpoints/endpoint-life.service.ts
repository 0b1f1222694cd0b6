import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  notFound,
  type RotateSecretReply,
  rotateSecretV1,
  type WebhookEndpointRecord,
} from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { inTransit, type Logger, LOGGER, newWebhookSecret, SecretBox } from '@switchboard/platform';
import { endpointRecord } from './endpoint-record';
import { confirmRotation, deleteEndpoint, rotateSecret } from './endpoints.queries';
import { secretPlace } from '../secrets/secret-places';

@Injectable()
export class EndpointLifeService {
  constructor(
    private readonly box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Starts a rotation: both secrets sign requests for 24 hours or until the rotation is confirmed.
   * @param rotatedBy id of the command; repeating the command returns the same secret
   * @throws AppError NOT_FOUND
   */
  async rotateSecret(accountId: string, endpointId: string, rotatedBy: string): Promise<RotateSecretReply> {
    const sealedSecret = this.box.seal(newWebhookSecret(), secretPlace(endpointId));
    const row = await this.transactions.run((tx) =>
      rotateSecret(tx, { accountId, id: endpointId, sealedSecret, rotatedBy }),
    );
    if (!row?.sealedNextSecret || !row.rotationEndsAt) throw notFound('rotation');
    this.logger.info({ accountId, endpointId }, 'secret.rotated');
    const secret = this.box.open(row.sealedNextSecret, secretPlace(endpointId));
    return {
      sealedSecret: this.box.seal(secret, inTransit(rotateSecretV1, 'sealedSecret', accountId)),
      rotationEndsAt: row.rotationEndsAt.toISOString(),
    };
  }

  /**
   * Ends a rotation: from now on, only the new secret signs.
   * @throws AppError NOT_FOUND when no rotation is in progress
   */
  async confirmRotation(accountId: string, endpointId: string): Promise<WebhookEndpointRecord> {
    const row = await this.transactions.run((tx) => confirmRotation(tx, accountId, endpointId));
    if (!row)
      throw new AppError('NOT_FOUND', { message: 'not found: no such endpoint, or no rotation is in progress' });
    this.logger.info({ accountId, endpointId }, 'secret.confirmed');
    return endpointRecord(row, new Date());
  }

  /**
   * Deletes an endpoint permanently.
   * @returns the number of waiting deliveries that were dropped
   * @throws AppError NOT_FOUND
   */
  async deleteEndpoint(accountId: string, endpointId: string): Promise<number> {
    const dropped = await this.transactions.run((tx) => deleteEndpoint(tx, accountId, endpointId));
    if (dropped === undefined) throw notFound('endpoint');
    this.logger.info({ accountId, endpointId, dropped }, 'endpoint.deleted');
    return dropped;
  }
}
