import { type Broker, createBroker, prepareBroker } from '@switchboard/broker';
import {
  createCappedJobV1,
  createHeldJobV1,
  createJobV1,
  type CreatedJob,
  getJobV1,
  type JobQuietHours,
  type JobRecord,
  type JobRow,
  type MessageContent,
  newId,
  type SpendLimit,
} from '@switchboard/contracts';
import { type BuiltService, readConfig } from '@switchboard/platform';
import {
  asAllSenders,
  borrowBroker,
  createTestDatabase,
  eventually,
  handOnNamespace,
  silentLogger,
  startFakeService,
} from '@switchboard/testing';
import type { DataSource } from 'typeorm';
import { buildService } from '../../src/build-service';
import { type JobsConfig, settings } from '../../src/config';
import { migrations } from '../../src/migrations';
import { Clock } from '../../src/quiet/clock';
import { type FakeMessaging, startMessaging } from './messaging';

export const TEMPLATE: MessageContent = {
  type: 'template',
  template: { name: 'order_update', language: { code: 'en_US' } },
};

export interface RunningJobs {
  /** Sends commands as the gateway does. */
  gateway: Broker;
  messaging: FakeMessaging;
  /** Events that the gateway received, by contract name. */
  notices: { name: string; body: object }[];
  dataSource: DataSource;
  databaseUrl: string;
  /** Time that decides about quiet hours, in ms; the real time if undefined. */
  clock: { now?: number };
  /** Starts another process of the service, or restarts the first one. */
  startService(): Promise<BuiltService>;
  /** Stops all processes of the service. The fakes keep running. */
  stopServices(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the real service on its own database and broker namespace, with a fake messaging service. */
export async function startJobs(
  overrides: Partial<JobsConfig> = {},
  {
    reachDatabase = (address: string) => address,
    ...parts
  }: { sheetWorkerUrl?: URL; reachDatabase?(address: string): string } = {},
): Promise<RunningJobs> {
  const { url, namespace } = await borrowBroker(prepareBroker);
  const gateway = asAllSenders('gateway', (service) => createBroker({ service, url, namespace, logger: silentLogger }));
  const notices: RunningJobs['notices'] = [];
  const [database, around, stopGateway] = await Promise.all([
    createTestDatabase('jobs', migrations),
    startMessaging({ url, namespace }),
    startFakeService('gateway', gateway, ({ name }, body) => void notices.push({ name, body })),
  ]);
  const config = {
    ...readConfig(settings, {
      DATABASE_URL: reachDatabase(database.url),
      RABBITMQ_URL: url,
      BROKER_NAMESPACE: namespace,
    }),
    ...overrides,
  };
  const services: BuiltService[] = [];
  const clock: RunningJobs['clock'] = {};
  const stopServices = async (): Promise<void> => {
    for (const service of services.splice(0)) {
      await service.app.close();
      await service.afterClose?.();
    }
  };
  const startService = async (): Promise<BuiltService> => {
    const service = await buildService(config, silentLogger, parts);
    services.push(service);
    service.app.get(Clock, { strict: false }).now = () => clock.now ?? Date.now();
    // If the service failed to start, stop its loops, which would outlive the test.
    await service.listen().catch(async (error: unknown) => {
      await stopServices();
      throw error;
    });
    return service;
  };
  await startService();
  return {
    gateway,
    messaging: around.messaging,
    notices,
    dataSource: database.dataSource,
    databaseUrl: database.url,
    clock,
    startService,
    stopServices,
    stop: async () => {
      await stopServices();
      await Promise.all([stopGateway(), around.stop(), database.drop()]);
      await handOnNamespace(namespace);
    },
  };
}

export const phonesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(919_800_000_000 + index));
export const rowsOf = (phones: readonly string[]): JobRow[] => phones.map((phone, position) => ({ position, phone }));

export interface CreateOptions {
  accountId?: string;
  jobId?: string;
  message?: MessageContent;
  name?: string;
  numbers?: string[];
  scheduledAt?: string;
  expireAt?: string;
  hold?: boolean;
  maxSpend?: SpendLimit;
  quietHours?: JobQuietHours;
}

/** Creates a job as the gateway does. */
export async function create(
  { gateway }: RunningJobs,
  rows: JobRow[],
  { accountId = newId('acc'), jobId = newId('job'), message = TEMPLATE, ...times }: CreateOptions = {},
): Promise<CreatedJob & { accountId: string }> {
  const contract = times.maxSpend || times.quietHours ? createCappedJobV1 : times.hold ? createHeldJobV1 : createJobV1;
  return { ...(await gateway.request(contract, { accountId, jobId, message, rows, ...times })), accountId };
}

export async function jobOf({ gateway }: RunningJobs, ids: { accountId: string; jobId: string }): Promise<JobRecord> {
  return (await gateway.request(getJobV1, { accountId: ids.accountId, jobId: ids.jobId })).job;
}

/** Waits until the job matches, and checks each time that its counts add up to its total. */
export async function becomes(
  jobs: RunningJobs,
  ids: { accountId: string; jobId: string },
  expected: Partial<JobRecord>,
  timeoutMs = 25_000,
): Promise<JobRecord> {
  let job = await jobOf(jobs, ids);
  await eventually(
    async () => {
      job = await jobOf(jobs, ids);
      expect(sumOf(job)).toBe(job.total);
      expect(job).toMatchObject(expected);
    },
    { timeoutMs },
  );
  return job;
}

export function sumOf({
  pending = 0,
  accepted = 0,
  sent = 0,
  delivered = 0,
  read = 0,
  failed = 0,
  cancelled = 0,
  rejected = 0,
  duplicates = 0,
}: JobRecord): number {
  return pending + accepted + sent + delivered + read + failed + cancelled + rejected + duplicates;
}
