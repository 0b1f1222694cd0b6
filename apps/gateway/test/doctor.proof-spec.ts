import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareBroker } from '@switchboard/broker';
import { listNumbersV1 } from '@switchboard/contracts';
/* eslint-disable @nx/enforce-module-boundaries -- starts separate brokers, which the tests stop */
import { startThrowAwayBroker } from '../../../libs/broker/test/support/private-broker';
/* eslint-enable @nx/enforce-module-boundaries */
import { type Diagnosis, Doctor } from './support/doctor';
import { type GatewayUnderTest, startGateway } from './support/gateway';

/** Starts a server that accepts connections but never sends a byte. */
async function startSilentServer(): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, close };
}

describe('ops doctor', () => {
  let doctor: Doctor;
  let gateway: GatewayUnderTest;
  let silent: Awaited<ReturnType<typeof startSilentServer>>;

  beforeAll(async () => {
    doctor = new Doctor('doctor');
    [gateway, silent] = await Promise.all([startGateway(), startSilentServer()]);
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(async () => {
    silent.close();
    await gateway.close();
  });

  /** Runs the doctor with changed settings. */
  const diagnose = (settings: Record<string, string> = {}): Promise<Diagnosis> => {
    const { DATABASE_URL, RABBITMQ_URL, BROKER_NAMESPACE } = gateway.config;
    return doctor.runInTime({ DATABASE_URL, RABBITMQ_URL, BROKER_NAMESPACE, ...settings });
  };
  const expectProblems = ({ problems, exitCode }: Diagnosis, ...checks: string[]): void => {
    expect([problems, exitCode]).toEqual([checks, 1]);
  };
  const at = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href;

  it('finds no problem and lists skipped checks', async () => {
    const { problems, exitCode, findings } = await diagnose();
    expect([problems, exitCode]).toEqual([[], 0]);
    expect(findings['publishing']).toMatchObject({ state: 'ok' });
    expect(findings['cluster']).toMatchObject({
      state: 'skipped',
      finding: expect.stringContaining('RABBITMQ_MANAGEMENT_URL is not set') as string,
    });
  });

  it('warns about a misspelt setting in a settings file', async () => {
    const misspelt = { LOG_LEVLE: 'debug', SIMULATOR_PORT: '3900' };
    const { findings, exitCode } = await diagnose({ ...misspelt, SETTINGS_FILE: 'docker/settings.env' });
    expect([exitCode, findings['settings']]).toEqual([
      0,
      expect.objectContaining({
        state: 'warning',
        finding: 'no program reads these of docker/settings.env: LOG_LEVLE (did you mean LOG_LEVEL?)',
      }),
    ]);
    expect((await diagnose(misspelt)).findings['settings']).toMatchObject({ state: 'ok' });
  });

  it('skips an unresponsive database and checks the rest', async () => {
    const diagnosis = await diagnose({ DATABASE_URL: at(gateway.config.DATABASE_URL, silent.port) });
    expectProblems(diagnosis, 'database');
    expect(diagnosis.findings).toMatchObject({
      database: { finding: expect.stringMatching(/^no response within \d\.\d s$/) as string },
      replication: { state: 'skipped' },
      messaging: { state: 'ok' },
      numbers: { state: 'skipped' },
    });
  });

  it('skips an unresponsive broker and checks the rest', async () => {
    const diagnosis = await diagnose({ RABBITMQ_URL: at(gateway.config.RABBITMQ_URL, silent.port) });
    expectProblems(diagnosis, 'broker');
    expect(diagnosis.findings).toMatchObject({
      broker: { finding: expect.stringMatching(/^no response within \d\.\d s$/) as string },
      publishing: { state: 'skipped' },
      migrations: { state: 'ok' },
      replication: { state: 'ok' },
    });
  });

  it('exits if all data stores are unresponsive', async () => {
    const diagnosis = await diagnose({
      DATABASE_URL: at(gateway.config.DATABASE_URL, silent.port),
      RABBITMQ_URL: at(gateway.config.RABBITMQ_URL, silent.port),
      RABBITMQ_MANAGEMENT_URL: `http://127.0.0.1:${silent.port}`,
    });
    expectProblems(diagnosis, 'database', 'broker', 'cluster');
    expect(diagnosis.findings['cluster']?.finding).toMatch(/^no response within \d\.\d s$/);
  });

  it('exits if a service never responds', async () => {
    await gateway.customer();
    gateway.fakes.answer(listNumbersV1, () => delay(60_000, undefined, { ref: false }));
    const diagnosis = await diagnose();
    expectProblems(diagnosis, 'numbers');
    expect(diagnosis.findings['secrets']).toMatchObject({ state: 'ok' });
  });

  it('reports a login that the management API rejects', async () => {
    const rabbit = await startThrowAwayBroker({ withManagement: true });
    const diagnosis = await diagnose({
      RABBITMQ_ADMIN_URL: rabbit.url.replace(/:[^:@]+@/, ':wrong@'),
      RABBITMQ_MANAGEMENT_URL: rabbit.managementUrl,
    });
    await rabbit.remove();
    expectProblems(diagnosis, 'cluster');
    expect(diagnosis.findings['cluster']?.finding).toContain('answered 401');
    expect(JSON.stringify(diagnosis)).not.toContain('wrong');
  });

  describe('on a separate broker', () => {
    let rabbit: Awaited<ReturnType<typeof startThrowAwayBroker>>;
    let settings: Record<string, string>;

    beforeAll(async () => {
      rabbit = await startThrowAwayBroker({ withManagement: true });
      settings = {
        RABBITMQ_URL: rabbit.logins.gateway,
        RABBITMQ_ADMIN_URL: rabbit.url,
        RABBITMQ_MANAGEMENT_URL: rabbit.managementUrl,
        BROKER_NAMESPACE: '',
      };
    });
    afterAll(() => rabbit.remove());

    const services = ['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks'];

    it('reports each service whose queues are missing', async () => {
      const diagnosis = await diagnose(settings);
      expectProblems(diagnosis, ...services, 'publishing');
      expect(diagnosis.findings['publishing']?.finding).toContain("no exchange 'sb.gateway'");
      expect(diagnosis.findings['jobs']?.finding).toContain('queues are missing');
    });

    it('reports each service that is not running', async () => {
      await prepareBroker({ adminUrl: rabbit.url, namespace: '', loginUrls: {} });
      const diagnosis = await diagnose(settings);
      expectProblems(diagnosis, ...services);
      expect(diagnosis.findings).toMatchObject({
        jobs: { finding: 'no process of it takes messages' },
        nodes: { state: 'ok', finding: 'the only one runs' },
        majorities: { state: 'ok' },
        leaders: { state: 'ok' },
      });
    });

    it('reports an alarm that blocks publishers', async () => {
      await rabbit.command('rabbitmqctl', 'set_vm_memory_high_watermark', 'absolute', '1MB');
      const diagnosis = await diagnose(settings);
      await rabbit.command('rabbitmqctl', 'set_vm_memory_high_watermark', 'absolute', '1GB');
      expect(diagnosis.findings['publishing']).toMatchObject({
        state: 'problem',
        finding: 'RabbitMQ blocks all publishers: low on memory',
      });
    });

    it('exits if the broker and its management API hang', async () => {
      process.kill(rabbit.pid, 'SIGSTOP');
      const diagnosis = await diagnose(settings).finally(() => process.kill(rabbit.pid, 'SIGCONT'));
      expectProblems(diagnosis, 'broker', 'cluster');
    });

    it('exits if the broker is down', async () => {
      await rabbit.kill9();
      const diagnosis = await diagnose(settings);
      expectProblems(diagnosis, 'broker', 'cluster');
      expect(diagnosis.findings).toMatchObject({
        broker: { finding: expect.stringContaining('ECONNREFUSED') as string },
        cluster: { finding: expect.stringContaining('ECONNREFUSED') as string },
      });
    });
  });
});
