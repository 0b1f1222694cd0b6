import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import { type Broker, createBroker, prepareBroker } from '@switchboard/broker';
import {
  getTemplateV1,
  listTemplatesV1,
  newId,
  type NumberAddedV1,
  numberAddedV1,
  type TemplateRecord,
  type UpstreamTemplateChangedV1,
  upstreamTemplateChangedV1,
} from '@switchboard/contracts';
import { type BuiltService, inTransit, readConfig, SecretBox } from '@switchboard/platform';
import {
  asAllSenders,
  borrowBroker,
  createTestDatabase,
  eventually,
  handOnNamespace,
  silentLogger,
  TEST_ENCRYPTION_KEY,
} from '@switchboard/testing';
import type { DataSource } from 'typeorm';
import { buildService } from '../../src/build-service';
import { settings } from '../../src/config';
import { migrations } from '../../src/migrations';
import { SampleCleanup } from '../../src/header-samples/sample-cleanup';
import { LeftBusinesses } from '../../src/sync/left-businesses';
import { type EventRecorder, startEventRecorder } from './event-recorder';
import { startUpstream, type Upstream } from './upstream';

export const ACCESS_TOKEN = 'EAAG-a-token';

export interface RunningTemplates {
  dataSource: DataSource;
  upstream: Upstream;
  blobs: BlobStore;
  cleanUpSamples(now: Date): Promise<void>;
  /** Runs the loop that rejects drafts of left businesses once. */
  refuseForgottenDrafts(): Promise<void>;
  /** Sends commands and events on behalf of the other services. */
  gateway: Broker;
  statusChanges: EventRecorder['statusChanges'];
  contentChanges: EventRecorder['contentChanges'];
  list(accountId: string, filters?: object): Promise<TemplateRecord[]>;
  get(accountId: string, name: string, language?: string): Promise<TemplateRecord | null>;
  /** Adds a number of the business to a new account and waits for the sync of its templates. */
  addAccount(wabaId: string): Promise<string>;
  /** Publishes the number's event without waiting for the sync. */
  announce(accountId: string, wabaId: string, more?: Partial<NumberAddedV1>): Promise<void>;
  /** Publishes a callback of the upstream platform. */
  callback(wabaId: string, value?: object, messageId?: string): Promise<void>;
  stop(): Promise<void>;
}

const testBox = new SecretBox({ ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

/** Encrypts a token as `numberAddedV1` does. */
export const sealedToken = (token: string, accountId: string): string =>
  testBox.seal(token, inTransit(numberAddedV1, 'sealedAccessToken', accountId));

/**
 * Starts the real service on its own database and broker namespace, with a real HTTP upstream. Optionally starts
 * several replicas.
 */
export async function startTemplates({ replicas = 1, intervalSeconds = 300 } = {}): Promise<RunningTemplates> {
  const { url, namespace } = await borrowBroker(prepareBroker);
  const gateway = asAllSenders('gateway', (service) => createBroker({ service, url, namespace, logger: silentLogger }));
  const [upstream, database, blobDir, recorder] = await Promise.all([
    startUpstream(),
    createTestDatabase('templates', migrations),
    mkdtemp(join(tmpdir(), 'switchboard-templates-')),
    startEventRecorder(url, namespace),
    gateway.connect(),
  ]);
  const { dataSource } = database;
  const config = readConfig(settings, {
    BLOB_DIR: blobDir,
    DATABASE_URL: database.url,
    RABBITMQ_URL: url,
    BROKER_NAMESPACE: namespace,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    UPSTREAM_BASE_URL: upstream.url,
    UPSTREAM_TIMEOUT_MS: '2000',
    SYNC_INTERVAL_SECONDS: String(intervalSeconds),
  });
  const services: BuiltService[] = [];
  const blobs = await createBlobStore(config);
  for (let replica = 0; replica < replicas; replica += 1) services.push(await startReplica(config));

  const announce = (accountId: string, wabaId: string, more: Partial<NumberAddedV1> = {}): Promise<void> =>
    gateway.publish(numberAddedV1, {
      accountId,
      wabaId,
      numberId: newId('num'),
      phoneNumber: '15550783881',
      sealedAccessToken: sealedToken(ACCESS_TOKEN, accountId),
      ...more,
    });
  return {
    dataSource,
    upstream,
    blobs,
    cleanUpSamples: (now) => services[0]!.app.get(SampleCleanup).deleteUnused(now),
    refuseForgottenDrafts: () => services[0]!.app.get(LeftBusinesses).refuseForgottenDrafts(),
    gateway,
    statusChanges: recorder.statusChanges,
    contentChanges: recorder.contentChanges,
    announce,
    list: async (accountId, filters = {}) =>
      (await gateway.request(listTemplatesV1, { accountId, ...filters })).templates,
    get: async (accountId, name, language = 'en_US') =>
      (await gateway.request(getTemplateV1, { accountId, name, language })).template,
    addAccount: async (wabaId) => {
      const accountId = newId('acc');
      await announce(accountId, wabaId);
      await eventually(async () => expect(await syncedAt(dataSource, accountId)).not.toBeNull());
      return accountId;
    },
    callback: (wabaId, value = {}, messageId = undefined) =>
      gateway.publish(upstreamTemplateChangedV1, templateChanged(wabaId, value), { messageId }),
    stop: async () => {
      await gateway.close();
      for (const service of services) {
        await service.app.close();
        await service.afterClose?.();
      }
      await Promise.all([recorder.stop(), upstream.close(), database.drop()]);
      await handOnNamespace(namespace);
      await rm(blobDir, { recursive: true, force: true });
    },
  };
}

async function startReplica(config: Parameters<typeof buildService>[0]): Promise<BuiltService> {
  const service = await buildService(config, silentLogger);
  await service.listen();
  return service;
}

function templateChanged(wabaId: string, value: object): UpstreamTemplateChangedV1 {
  return { callbackId: newId('cb'), wabaId, field: 'message_template_status_update', value };
}

/** Returns the start of the newest applied sync. Null before the first one. */
export async function syncedAt(dataSource: DataSource, accountId: string): Promise<Date | null> {
  const [account] = await dataSource.query<{ last_synced_at: Date | null }[]>(
    'SELECT last_synced_at FROM upstream_accounts WHERE account_id = $1',
    [accountId],
  );
  return account?.last_synced_at ?? null;
}
