import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import { type Broker, createBroker, prepareBroker } from '@switchboard/broker';
import {
  addNumberV1,
  type CallbackHeartbeat,
  type ListMessagesCommand,
  type ListMessagesReply,
  listMessagesV1,
  messageStatusChangedV1,
  messageStatusChangedV2,
  newId,
  type SendMessageCommand,
  type SendMessageReply,
  type SendMessageRequest,
  sendMessageV1,
  upstreamAppDataReceivedV1,
  upstreamMessagesReceivedV1,
} from '@switchboard/contracts';
import { type BuiltService, counter, inTransit, readConfig, SecretBox, startLoop } from '@switchboard/platform';
import {
  asAllSenders,
  borrowBroker,
  createTestDatabase,
  eventually,
  handOnNamespace,
  silentLogger,
  TEST_ENCRYPTION_KEY,
} from '@switchboard/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { buildService } from '../../src/build-service';
import { settings } from '../../src/config';
import { migrations } from '../../src/migrations';
import { type Seen, startNeighbours } from './neighbours';
import { type FakeUpstream, startUpstream } from './upstream';

export const ACCESS_TOKEN = 'EAAG-a-token';
export const CUSTOMER = '919812345678';

export interface TestAccount {
  accountId: string;
  numberId: string;
  phoneNumber: string;
  phoneNumberId: string;
}

export interface RunningMessaging extends Seen {
  /** Environment settings of the service's processes. */
  environment: Record<string, string>;
  dataSource: DataSource;
  upstream: FakeUpstream;
  /** Sends commands and publishes events as the other services do. */
  gateway: Broker;
  /** Blob store for the files of uploads. */
  blobs: BlobStore;
  /** Adds an account with a number, or another number to the given account. */
  addAccount(accountId?: string): Promise<TestAccount>;
  send(
    accountId: string,
    message: Partial<SendMessageRequest>,
    messageId?: string,
    more?: Partial<SendMessageCommand>,
  ): Promise<SendMessageReply>;
  list(accountId: string, filters?: Partial<ListMessagesCommand>): Promise<ListMessagesReply>;
  /** Publishes statuses or inbound messages as the gateway does. */
  callback(phoneNumberId: string, value: object): Promise<void>;
  /** Publishes data of a phone app as the gateway does, in flat lists. */
  appData(phoneNumberId: string, value: object): Promise<void>;
  /**
   * Sends a gateway heartbeat. The default is a heartbeat of now, from a gateway that has always accepted callbacks.
   */
  beat(heartbeat?: Partial<CallbackHeartbeat>): Promise<void>;
  /**
   * Sends heartbeats repeatedly, as gateways do.
   * @returns a function that stops them
   */
  openIngress(): () => Promise<void>;
  /** Resolves when all callbacks so far are applied and their events have arrived. */
  settled(): Promise<void>;
  /** Stores an inbound message. Resolves when the window is open. */
  writeIn(account: TestAccount, from?: string): Promise<void>;
  /** Starts another process of the service on the same database and broker. */
  addReplica(): Promise<BuiltService>;
  stop(): Promise<void>;
}

export const testBox = new SecretBox({ ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

/** Encrypts a token as `addNumberV1` does. */
export const sealed = (token: string, accountId: string): string =>
  testBox.seal(token, inTransit(addNumberV1, 'sealedAccessToken', accountId));

/**
 * Starts the real service on its own database and broker namespace, with an HTTP server as upstream and fakes of the
 * other services.
 */
export async function startMessaging({
  graceSeconds = 60,
  callbackWaitSeconds = undefined as number | undefined,
  replicas = 1,
  upstreamTimeoutMs = 800,
  reachDatabase = (address: string) => address,
  env = {} as Record<string, string>,
  logger = silentLogger,
} = {}): Promise<RunningMessaging> {
  const { url, namespace } = await borrowBroker(prepareBroker);
  const gateway = asAllSenders('gateway', (service) => createBroker({ service, url, namespace, logger: silentLogger }));
  const [upstream, blobDir, database, neighbours] = await Promise.all([
    startUpstream(ACCESS_TOKEN),
    mkdtemp(join(tmpdir(), 'messaging-blobs-')),
    createTestDatabase('messaging', migrations),
    startNeighbours(url, namespace),
    gateway.connect(),
  ]);
  const { dataSource } = database;
  const environment = {
    DATABASE_URL: reachDatabase(database.url),
    RABBITMQ_URL: url,
    BROKER_NAMESPACE: namespace,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    UPSTREAM_BASE_URL: upstream.url,
    UPSTREAM_TIMEOUT_MS: String(upstreamTimeoutMs),
    BLOB_DIR: blobDir,
    RECONCILE_GRACE_SECONDS: String(graceSeconds),
    CALLBACK_WAIT_SECONDS: String(callbackWaitSeconds ?? graceSeconds),
    ...env,
  };
  const config = readConfig(settings, environment);
  const services: BuiltService[] = [];
  const addReplica = async (): Promise<BuiltService> => {
    const service = await buildService(config, logger);
    await service.listen();
    services.push(service);
    return service;
  };
  for (let replica = 0; replica < replicas; replica += 1) await addReplica();
  let published = 0;
  const bodyFor = (phoneNumberId: string, value: object) => ({
    callbackId: newId('cb'),
    wabaId: '100000000000001',
    value: { messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, ...value },
  });
  const callback = async (phoneNumberId: string, value: object): Promise<void> => {
    published += 1;
    await gateway.publish(upstreamMessagesReceivedV1, bodyFor(phoneNumberId, value));
  };
  const appData = async (phoneNumberId: string, value: object): Promise<void> => {
    published += 1;
    await gateway.publish(upstreamAppDataReceivedV1, bodyFor(phoneNumberId, value));
  };
  const beat = async (heartbeat: Partial<CallbackHeartbeat> = {}): Promise<void> => {
    published += 1;
    const now = new Date().toISOString();
    const body = {
      callbackId: 'door',
      wabaId: '',
      value: {},
      door: { at: now, since: '2020-01-01T00:00:00.000Z', ...heartbeat },
    };
    await gateway.publish(upstreamMessagesReceivedV1, body);
  };
  return {
    environment,
    dataSource,
    upstream,
    gateway,
    blobs: await createBlobStore(config),
    ...neighbours.seen,
    addReplica,
    callback,
    appData,
    beat,
    openIngress: () => {
      const loop = startLoop({ name: 'beat', everyMs: 300, logger: silentLogger, turn: () => beat() });
      return () => loop.stop();
    },
    settled: async () => {
      await eventually(async () => expect(await countHandledCallbacks()).toBe(published), { timeoutMs: 30_000 });
      await eventually(async () => expect(await dataSource.query('SELECT id FROM outbox')).toEqual([]));
      // Publish this event last, so that it is queued after all others.
      const last = { ...messageStatusChangedV1.sample, id: newId('msg') };
      await gateway.publish(messageStatusChangedV2, { changes: [last] });
      await eventually(() => expect(neighbours.seen.statusEvents.filter(({ id }) => id === last.id).length).toBe(1));
    },
    addAccount: (accountId) => addAccount(gateway, accountId),
    send: (accountId, message, messageId = newId('msg'), more = {}) =>
      gateway.request(sendMessageV1, {
        accountId,
        messageId,
        message: { to: CUSTOMER, type: 'text', ...message },
        ...more,
      }),
    list: (accountId, filters = {}) => gateway.request(listMessagesV1, { accountId, page: 1, limit: 20, ...filters }),
    writeIn: async ({ accountId, phoneNumberId }, from = CUSTOMER) => {
      await callback(phoneNumberId, { messages: [inboundText({ from })] });
      await eventually(async () => {
        const rows: unknown[] = await dataSource.query(
          'SELECT 1 FROM service_windows JOIN contacts ON contacts.id = contact_id WHERE contacts.account_id = $1 AND phone = $2',
          [accountId, from],
        );
        expect(rows.length).toBe(1);
      });
    },
    stop: async () => {
      await gateway.close();
      for (const service of services) {
        await service.app.close();
        await service.afterClose?.();
      }
      await Promise.all([neighbours.stop(), upstream.close(), database.drop()]);
      await handOnNamespace(namespace);
      await rm(blobDir, { recursive: true, force: true });
    },
  };
}

const CALLBACKS: readonly string[] = [upstreamMessagesReceivedV1.name, upstreamAppDataReceivedV1.name];

/** The services of a test file run in the same process and share its metrics. */
async function countHandledCallbacks(): Promise<number> {
  const { values } = await counter('broker_deliveries_total', '', { contract: [], outcome: [] }).get();
  const wanted = values.filter(
    ({ labels }) => CALLBACKS.includes(String(labels.contract)) && labels.outcome === 'handled',
  );
  return wanted.reduce((sum, { value }) => sum + value, 0);
}

let numbers = 0;

async function addAccount(gateway: Broker, accountId = newId('acc')): Promise<TestAccount> {
  numbers += 1;
  const phoneNumber = `1555078${String(3_000 + numbers)}`;
  const phoneNumberId = `2000000000${String(10_000 + numbers)}`;
  const { id: numberId } = await gateway.request(addNumberV1, {
    accountId,
    phoneNumber,
    phoneNumberId,
    wabaId: '100000000000001',
    sealedAccessToken: sealed(ACCESS_TOKEN, accountId),
  });
  return { accountId, numberId, phoneNumber, phoneNumberId };
}

let inbound = 0;

/** Returns an inbound text in upstream format, written a moment ago by default. */
export function inboundText({
  from = CUSTOMER,
  id = `wamid.IN${(inbound += 1)}`,
  ageSeconds = 1,
  text = 'Hello',
} = {}) {
  return {
    from,
    id,
    timestamp: String(Math.floor(Date.now() / 1_000) - ageSeconds),
    type: 'text',
    text: { body: text },
  };
}
