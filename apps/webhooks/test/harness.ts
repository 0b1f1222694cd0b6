import { type Broker, createBroker, prepareBroker } from '@switchboard/broker';
import {
  createEndpointV1,
  type CreateEndpointCommand,
  messageStatusChangedV1,
  messageStatusChangedV2,
  type MessageStatusChangedV1,
  newId,
  type SetEndpointReply,
  setEndpointV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { type BuiltService, inTransit, type Logger, SecretBox } from '@switchboard/platform';
import {
  acceptingChallenge,
  asAllSenders,
  borrowBroker,
  createTestDatabase,
  deleteNamespace,
  handOnNamespace,
  prepareNamespace,
  type Receiver,
  type Responder,
  silentLogger,
  type TestDatabase,
  TEST_ENCRYPTION_KEY,
} from '@switchboard/testing';
import { buildService } from '../src/build-service';
import type { WebhooksConfig } from '../src/config';
import { migrations } from '../src/migrations';

export const VERIFY_TOKEN = 'a verify token';

export const testBox = new SecretBox({ ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

/** Encrypts a verify token as a command does. */
export const sealedToken = (command: { name: string }, accountId: string, verifyToken = VERIFY_TOKEN): string =>
  testBox.seal(verifyToken, inTransit(command, 'sealedVerifyToken', accountId));

export interface AttemptRow {
  attempt: number;
  started_at: Date;
  finished_at: Date | null;
  duration_ms: number | null;
  status_code: number | null;
  error_class: string | null;
  answer_head: Buffer | null;
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  state: string;
  attempts_made: number;
  next_attempt_at: Date | null;
  claimed_until: Date | null;
  finished_at: Date | null;
}

const otherServices = (broker: { url: string; namespace: string }): Broker =>
  asAllSenders('messaging', (service) => createBroker({ service, ...broker, logger: silentLogger }));

/**
 * Runs the webhooks service on its own database and namespace. A broker connection plays the role of the other
 * services.
 */
export class Harness {
  private services: BuiltService[] = [];

  private constructor(
    readonly database: TestDatabase,
    private readonly broker: { url: string; namespace: string },
    public others: Broker,
  ) {}

  static async start(settings: Partial<WebhooksConfig> = {}): Promise<Harness> {
    const harness = await Harness.prepare();
    await harness.startService(settings);
    return harness;
  }

  /** Prepares everything except a running service. */
  static async prepare(): Promise<Harness> {
    const broker = await borrowBroker(prepareBroker);
    const others = otherServices(broker);
    const [database] = await Promise.all([createTestDatabase('webhooks', migrations), others.connect()]);
    return new Harness(database, broker, others);
  }

  async startService(settings: Partial<WebhooksConfig> = {}, logger: Logger = silentLogger): Promise<BuiltService> {
    const config: WebhooksConfig = {
      DATABASE_URL: this.database.url,
      RABBITMQ_URL: this.broker.url,
      BROKER_NAMESPACE: this.broker.namespace,
      COMMAND_QUEUES: 'quorum',
      BROKER_CONNECTION_MAX_AGE_SECONDS: 0,
      LISTEN_ADDRESS: '127.0.0.1',
      MANAGEMENT_PORT: 0,
      LOG_LEVEL: 'silent',
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      DATABASE_REQUEST_CONNECTIONS: 2,
      DATABASE_EVENT_CONNECTIONS: 3,
      DATABASE_BACKGROUND_CONNECTIONS: 3,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      ENCRYPTION_KEY_PREVIOUS: undefined,
      WEBHOOK_ALLOW_PRIVATE: true,
      WEBHOOK_CONCURRENCY_PER_ENDPOINT: 3,
      WEBHOOK_CONCURRENCY: 100,
      WEBHOOK_REPLAYS_PER_SECOND: 100,
      PUBLIC_BASE_URL: 'https://api.example.com',
      WEBHOOK_PROXY_URL: undefined,
      WEBHOOK_LOG_DAYS: 30,
      WEBHOOK_DEGRADED_AFTER_MINUTES: 60,
      ...settings,
    };
    const service = await buildService(config, logger);
    await service.listen();
    this.services.push(service);
    return service;
  }

  async stopService(service: BuiltService | undefined = this.services[0]): Promise<void> {
    if (!service) throw new Error('no service runs');
    this.services = this.services.filter((running) => running !== service);
    await service.app.close();
    await service.afterClose?.();
  }

  /** Environment of a separate process that joins this database and broker. */
  get addresses(): Record<'DATABASE_URL' | 'RABBITMQ_URL' | 'BROKER_NAMESPACE', string> {
    return { DATABASE_URL: this.database.url, RABBITMQ_URL: this.broker.url, BROKER_NAMESPACE: this.broker.namespace };
  }

  service(): BuiltService {
    const [service] = this.services;
    if (!service) throw new Error('no service runs');
    return service;
  }

  /** Replaces the broker with an empty one: deletes every queue and exchange and closes every connection. */
  async replaceBroker(): Promise<void> {
    await this.others.close();
    await deleteNamespace(this.broker.namespace);
    await prepareNamespace(prepareBroker, this.broker.namespace);
    this.others = otherServices(this.broker);
    await this.others.connect();
  }

  async stop(): Promise<void> {
    for (const service of this.services) await this.stopService(service);
    await Promise.all([this.others.close(), this.database.drop()]);
    await handOnNamespace(this.broker.namespace);
  }

  /** Creates an account with the receiver as its endpoint, then sets the receiver's responses. */
  async account(receiver: Receiver, respond?: Responder): Promise<{ accountId: string; secret: string }> {
    const accountId = newId('acc');
    receiver.respondWith(acceptingChallenge(VERIFY_TOKEN));
    const { sealedSecret } = await this.setEndpoint(accountId, `${receiver.url}/hook`);
    receiver.received.length = 0;
    if (respond) receiver.respondWith(respond);
    return { accountId, secret: testBox.open(sealedSecret, inTransit(setEndpointV1, 'sealedSecret', accountId)) };
  }

  setEndpoint(accountId: string, url: string, verifyToken = VERIFY_TOKEN): Promise<SetEndpointReply> {
    return this.others.request(setEndpointV1, {
      accountId,
      url,
      sealedVerifyToken: sealedToken(setEndpointV1, accountId, verifyToken),
    });
  }

  /**
   * Publishes a status change on behalf of the messaging service, for a new message unless `changes` contains an id.
   */
  async report(
    accountId: string,
    changes: Partial<MessageStatusChangedV1> = {},
    messageId = newId('evt'),
  ): Promise<void> {
    const id = newId('msg');
    const change = { ...messageStatusChangedV1.sample, id, upstreamId: `wamid.${id}`, accountId, ...changes };
    await this.others.publish(messageStatusChangedV2, { changes: [change] }, { messageId });
  }

  deliveries(accountId: string): Promise<DeliveryRow[]> {
    return query(this.database.dataSource, 'SELECT * FROM delivery_log WHERE account_id = $1 ORDER BY id', [accountId]);
  }

  attempts(accountId: string): Promise<AttemptRow[]> {
    return query(
      this.database.dataSource,
      'SELECT * FROM attempts WHERE account_id = $1 ORDER BY started_at, attempt',
      [accountId],
    );
  }

  /** Advances the clock of an account's waiting deliveries by the given seconds. */
  async passTime(accountId: string, seconds: number): Promise<void> {
    const sql =
      'UPDATE pending_deliveries SET next_attempt_at = next_attempt_at - make_interval(secs => $2) WHERE account_id = $1 AND claimed_until IS NULL';
    await query(this.database.dataSource, sql, [accountId, seconds]);
  }

  async endpoint(
    accountId: string,
    receiver: Receiver,
    options: Partial<CreateEndpointCommand> = {},
  ): Promise<{ id: string; secret: string }> {
    receiver.respondWith(acceptingChallenge(VERIFY_TOKEN));
    const sealedVerifyToken = sealedToken(createEndpointV1, accountId);
    const reply = await this.others.request(createEndpointV1, {
      accountId,
      url: `${receiver.url}/hook`,
      sealedVerifyToken,
      ...options,
    });
    receiver.received.length = 0;
    return {
      id: reply.endpoint.id,
      secret: testBox.open(reply.sealedSecret, inTransit(createEndpointV1, 'sealedSecret', accountId)),
    };
  }

  /** Makes waiting retries due without notifying the broker, so that the sweep finds them. */
  async makeDue(accountId: string): Promise<void> {
    await query(
      this.database.dataSource,
      `UPDATE pending_deliveries SET next_attempt_at = now() WHERE account_id = $1 AND next_attempt_at > now()`,
      [accountId],
    );
  }
}
