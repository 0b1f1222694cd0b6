import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  AppError,
  type CreateEndpointCommand,
  type CreateEndpointReply,
  createEndpointV1,
  newId,
  notFound,
  type SetEndpointCommand,
  type SetEndpointReply,
  setEndpointV1,
  type UpdateEndpointCommand,
  updateEndpointV1,
  type WebhookEndpointRecord,
} from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { inTransit, type Logger, LOGGER, newWebhookSecret, SecretBox } from '@switchboard/platform';
import { Repository } from 'typeorm';
import { CustomerHttp } from '../customer-http/customer-http';
import { parseCustomerUrl } from '../customer-http/url-guard';
import { verifyEndpoint } from './challenge';
import { Endpoint } from './endpoint.entity';
import { endpointRecord } from './endpoint-record';
import {
  changeEndpoint,
  type EndpointChanges,
  insertEndpoint,
  listForChange,
  lockAccount,
  MAX_ENDPOINTS_PER_ACCOUNT,
  type NewEndpoint,
} from './endpoints.queries';
import { secretPlace, verifyTokenPlace } from '../secrets/secret-places';

/** Manages an account's endpoints. Stores only URLs that pass the URL guard and the challenge. */
@Injectable()
export class EndpointsService {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @InjectRepository(Endpoint) private readonly endpoints: Repository<Endpoint>,
    private readonly transactions: Transactions,
    private readonly http: CustomerHttp,
    private readonly box: SecretBox,
  ) {}

  /**
   * Sets the URL of the account's first endpoint, with a new secret. Waiting deliveries are sent to the new URL.
   * @param setBy id of the command; repeating the command returns the same secret
   * @throws AppError INVALID_LINK or INVALID_PARAMETER with the failure; nothing is changed then
   */
  async setEndpoint(command: SetEndpointCommand, setBy: string): Promise<SetEndpointReply> {
    const { accountId } = command;
    const verifyToken = this.box.open(
      command.sealedVerifyToken,
      inTransit(setEndpointV1, 'sealedVerifyToken', accountId),
    );
    const url = await this.verifiedUrl(command.url, verifyToken);
    const row = await this.transactions.run(async (tx) => {
      await lockAccount(tx, accountId);
      const rows = await listForChange(tx, accountId);
      const done = rows.find((existing) => existing.setBy === setBy);
      if (done) return done;
      const [first] = rows;
      if (!first) return insertEndpoint(tx, this.newEndpoint({ accountId, url, verifyToken, setBy }));
      return changeEndpoint(tx, first, {
        url,
        setBy,
        ...this.sealedFor(first.id, verifyToken),
        sealedNextSecret: null,
        rotationEndsAt: null,
        ...ENABLED,
      });
    });
    const { id, sealedSecret: stored } = found(row);
    const sealedSecret = this.box.seal(
      this.box.open(stored, secretPlace(id)),
      inTransit(setEndpointV1, 'sealedSecret', accountId),
    );
    return { id, url: found(row).url, sealedSecret };
  }

  /**
   * Adds an endpoint that passes the URL guard and the challenge.
   * @param setBy as in `setEndpoint`
   * @throws AppError INVALID_LINK or INVALID_PARAMETER with the failure; nothing is changed then
   */
  async createEndpoint(command: CreateEndpointCommand, setBy: string): Promise<CreateEndpointReply> {
    const { accountId, kinds = null, maxInFlight = null, acceptStatuses, retrySchedule } = command;
    const verifyToken = this.box.open(
      command.sealedVerifyToken,
      inTransit(createEndpointV1, 'sealedVerifyToken', accountId),
    );
    const url = await this.verifiedUrl(command.url, verifyToken);
    const row = await this.transactions.run(async (tx) => {
      await lockAccount(tx, accountId);
      const rows = await listForChange(tx, accountId);
      const done = rows.find((existing) => existing.setBy === setBy);
      if (done) return done;
      if (rows.length >= MAX_ENDPOINTS_PER_ACCOUNT)
        throw new AppError('INVALID_PARAMETER', {
          message: `an account has at most ${MAX_ENDPOINTS_PER_ACCOUNT} endpoints`,
        });
      return insertEndpoint(tx, {
        ...this.newEndpoint({ accountId, url, verifyToken, setBy }),
        kinds,
        maxInFlight,
        acceptsAny2xx: acceptStatuses === '2xx',
        hasExtendedRetries: retrySchedule === 'extended',
      });
    });
    this.logger.info({ accountId, endpointId: row.id, host: new URL(row.url).host }, 'endpoint.created');
    const secret = this.box.open(row.sealedSecret, secretPlace(row.id));
    return {
      endpoint: endpointRecord(row, new Date()),
      sealedSecret: this.box.seal(secret, inTransit(createEndpointV1, 'sealedSecret', accountId)),
    };
  }

  /**
   * Changes the given properties.
   * @throws AppError NOT_FOUND, INVALID_LINK or INVALID_PARAMETER with the failure
   */
  async updateEndpoint(command: UpdateEndpointCommand): Promise<WebhookEndpointRecord> {
    const { accountId, endpointId, sealedVerifyToken, kinds, allKinds, maxInFlight, acceptStatuses, retrySchedule } =
      command;
    const before = await this.requireEndpoint(accountId, endpointId);
    const changes: EndpointChanges = {};
    if (command.url !== undefined || sealedVerifyToken !== undefined) {
      const place = verifyTokenPlace(endpointId);
      const verifyToken =
        sealedVerifyToken === undefined
          ? this.box.open(before.sealedVerifyToken, place)
          : this.box.open(sealedVerifyToken, inTransit(updateEndpointV1, 'sealedVerifyToken', accountId));
      changes.url = await this.verifiedUrl(command.url ?? before.url, verifyToken);
      if (sealedVerifyToken !== undefined) changes.sealedVerifyToken = this.box.seal(verifyToken, place);
    }
    if (kinds && allKinds)
      throw new AppError('INVALID_PARAMETER', { message: 'kinds and allKinds cannot both be given' });
    if (kinds || allKinds) changes.kinds = kinds ?? null;
    if (maxInFlight !== undefined) changes.maxInFlight = maxInFlight;
    if (acceptStatuses !== undefined) changes.acceptsAny2xx = acceptStatuses === '2xx';
    if (retrySchedule !== undefined) changes.hasExtendedRetries = retrySchedule === 'extended';
    return this.change(accountId, endpointId, changes, 'endpoint.updated');
  }

  /**
   * Pauses or resumes an endpoint.
   * @throws AppError NOT_FOUND
   */
  async switchEndpoint(
    accountId: string,
    endpointId: string,
    state: 'enabled' | 'paused',
  ): Promise<WebhookEndpointRecord> {
    const changes: EndpointChanges = state === 'enabled' ? ENABLED : { pausedAt: new Date() };
    return this.change(accountId, endpointId, changes, `endpoint.${state}`);
  }

  async listEndpoints(accountId: string): Promise<WebhookEndpointRecord[]> {
    const rows = await this.endpoints.find({ where: { accountId }, order: { id: 'ASC' } });
    return rows.map((row) => endpointRecord(row, new Date()));
  }

  /** @throws AppError NOT_FOUND if the account has no such endpoint */
  async requireEndpoint(accountId: string, endpointId: string): Promise<Endpoint> {
    return found(await this.endpoints.findOneBy({ accountId, id: endpointId }));
  }

  private async change(
    accountId: string,
    endpointId: string,
    changes: EndpointChanges,
    outcome: string,
  ): Promise<WebhookEndpointRecord> {
    const row = found(await changeEndpoint(this.endpoints, { accountId, id: endpointId }, changes));
    this.logger.info({ accountId, endpointId, changed: Object.keys(changes) }, outcome);
    return endpointRecord(row, new Date());
  }

  private async verifiedUrl(text: string, verifyToken: string): Promise<string> {
    const url = parseCustomerUrl(text, this.http.rules);
    await verifyEndpoint(this.http, { url, verifyToken });
    return url.toString();
  }

  /** Encrypts the verify token and a new secret, bound to the endpoint. */
  private sealedFor(endpointId: string, verifyToken: string): { sealedVerifyToken: string; sealedSecret: string } {
    return {
      sealedVerifyToken: this.box.seal(verifyToken, verifyTokenPlace(endpointId)),
      sealedSecret: this.box.seal(newWebhookSecret(), secretPlace(endpointId)),
    };
  }

  private newEndpoint({
    verifyToken,
    ...endpoint
  }: {
    accountId: string;
    url: string;
    verifyToken: string;
    setBy: string;
  }): NewEndpoint {
    const id = newId('ep');
    return {
      ...endpoint,
      id,
      ...this.sealedFor(id, verifyToken),
      kinds: null,
      maxInFlight: null,
      acceptsAny2xx: false,
      hasExtendedRetries: false,
    };
  }
}

/** Resets the endpoint's health, as after a success. */
const ENABLED: EndpointChanges = { pausedAt: null, failingSince: null, degradedAt: null };

function found(row: Endpoint | null): Endpoint {
  if (!row) throw notFound('endpoint');
  return row;
}
