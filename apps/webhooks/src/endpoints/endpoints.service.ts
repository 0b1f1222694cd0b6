import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type CreateEndpointCommand,
  type CreateEndpointReply,
  newId,
  type SetEndpointCommand,
  type SetEndpointReply,
  type UpdateEndpointCommand,
  type WebhookEndpointRecord,
} from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER, seal, unseal } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from '../config';
import { CustomerHttp } from '../customer-http/customer-http';
import { newSecret } from '../deliveries/signature';
import { parseCustomerUrl } from '../url-guard/url-guard';
import { verifyEndpoint } from './challenge';
import { endpointRecord } from './endpoint-record';
import {
  changeEndpoint,
  type EndpointChanges,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  listForChange,
  lockAccount,
  MAX_ENDPOINTS_PER_ACCOUNT,
} from './endpoints.queries';

/** What an account's endpoints are: only URLs that pass guard and challenge are ever stored. */
@Injectable()
export class EndpointsService {
  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly http: CustomerHttp,
  ) {}

  /**
   * Makes this the URL of the account's first endpoint, with a new secret; an earlier URL's waiting deliveries go to the new one.
   * @param setBy the command's id: the same command a second time gives the same secret
   * @throws AppError INVALID_LINK or INVALID_PARAMETER saying what failed; then nothing is changed
   */
  async setEndpoint(command: SetEndpointCommand, setBy: string): Promise<SetEndpointReply> {
    const { accountId, sealedVerifyToken } = command;
    const url = await this.verifiedUrl(command.url, sealedVerifyToken);
    const row = await this.transactions.run(async (tx) => {
      await lockAccount(tx, accountId);
      const rows = await listForChange(tx, accountId);
      const done = rows.find((existing) => existing.set_by === setBy);
      if (done) return done;
      const [first] = rows;
      const fresh = { url, sealed_verify_token: sealedVerifyToken, sealed_secret: this.sealedSecret(), set_by: setBy };
      if (!first) return insertEndpoint(tx, this.newEndpoint({ accountId, url, sealedVerifyToken, setBy }));
      return changeEndpoint(tx, accountId, first.id, { ...fresh, sealed_next_secret: null, rotation_ends_at: null, ...ENABLED });
    });
    return { id: found(row).id, url: found(row).url, sealedSecret: found(row).sealed_secret };
  }

  /**
   * Adds an endpoint that passes guard and challenge.
   * @param setBy as in `setEndpoint`
   * @throws AppError INVALID_LINK or INVALID_PARAMETER saying what failed; then nothing is changed
   */
  async createEndpoint(command: CreateEndpointCommand, setBy: string): Promise<CreateEndpointReply> {
    const { accountId, sealedVerifyToken, kinds = null, maxInFlight = null } = command;
    const url = await this.verifiedUrl(command.url, sealedVerifyToken);
    const row = await this.transactions.run(async (tx) => {
      await lockAccount(tx, accountId);
      const rows = await listForChange(tx, accountId);
      const done = rows.find((existing) => existing.set_by === setBy);
      if (done) return done;
      if (rows.length >= MAX_ENDPOINTS_PER_ACCOUNT) throw new AppError('INVALID_PARAMETER', { message: `an account has at most ${MAX_ENDPOINTS_PER_ACCOUNT} endpoints` });
      return insertEndpoint(tx, { ...this.newEndpoint({ accountId, url, sealedVerifyToken, setBy }), kinds, maxInFlight });
    });
    this.logger.info({ accountId, endpointId: row.id, host: new URL(row.url).host }, 'endpoint.created');
    return { endpoint: endpointRecord(row, new Date()), sealedSecret: row.sealed_secret };
  }

  /** Changes what the command names. @throws AppError NOT_FOUND, INVALID_LINK or INVALID_PARAMETER saying what failed */
  async updateEndpoint(command: UpdateEndpointCommand): Promise<WebhookEndpointRecord> {
    const { accountId, endpointId, sealedVerifyToken, kinds, allKinds, maxInFlight } = command;
    const before = await this.requireEndpoint(accountId, endpointId);
    const changes: EndpointChanges = {};
    if (command.url !== undefined || sealedVerifyToken !== undefined) {
      const token = sealedVerifyToken ?? before.sealed_verify_token;
      Object.assign(changes, { url: await this.verifiedUrl(command.url ?? before.url, token), sealed_verify_token: token });
    }
    if (kinds && allKinds) throw new AppError('INVALID_PARAMETER', { message: 'give either kinds or allKinds' });
    if (kinds || allKinds) changes.kinds = kinds ?? null;
    if (maxInFlight !== undefined) changes.max_in_flight = maxInFlight;
    return this.change(accountId, endpointId, changes, 'endpoint.updated');
  }

  /** Pauses it, or lets it go on. @throws AppError NOT_FOUND */
  async switchEndpoint(accountId: string, endpointId: string, state: 'enabled' | 'paused'): Promise<WebhookEndpointRecord> {
    const changes: EndpointChanges = state === 'enabled' ? ENABLED : { paused_at: new Date(), paused_reason: 'owner' };
    return this.change(accountId, endpointId, changes, `endpoint.${state}`);
  }

  async listEndpoints(accountId: string): Promise<WebhookEndpointRecord[]> {
    const rows = await listEndpoints(this.dataSource, accountId);
    return rows.map((row) => endpointRecord(row, new Date()));
  }

  /** @throws AppError NOT_FOUND when the account has no such endpoint */
  async requireEndpoint(accountId: string, endpointId: string): Promise<EndpointRow> {
    return found(await findEndpoint(this.dataSource, accountId, endpointId));
  }

  private async change(accountId: string, endpointId: string, changes: EndpointChanges, outcome: string): Promise<WebhookEndpointRecord> {
    const runner = { query: <Row>(sql: string, params?: unknown[]) => query<Row>(this.dataSource, sql, params) };
    const row = found(await changeEndpoint(runner, accountId, endpointId, changes));
    this.logger.info({ accountId, endpointId, changed: Object.keys(changes) }, outcome);
    return endpointRecord(row, new Date());
  }

  private async verifiedUrl(text: string, sealedVerifyToken: string): Promise<string> {
    const url = parseCustomerUrl(text, { allowPrivate: this.config.WEBHOOK_ALLOW_PRIVATE });
    await verifyEndpoint(this.http, { url, verifyToken: unseal(sealedVerifyToken, this.config.ENCRYPTION_KEY) });
    return url.toString();
  }

  private sealedSecret(): string {
    return seal(newSecret(), this.config.ENCRYPTION_KEY);
  }

  private newEndpoint(endpoint: { accountId: string; url: string; sealedVerifyToken: string; setBy: string }) {
    return { ...endpoint, id: newId('ep'), sealedSecret: this.sealedSecret(), kinds: null, maxInFlight: null };
  }
}

/** As after a success: nothing of the past counts. */
const ENABLED: EndpointChanges = { paused_at: null, paused_reason: null, failing_since: null, degraded_at: null };

function found(row: EndpointRow | undefined): EndpointRow {
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}
