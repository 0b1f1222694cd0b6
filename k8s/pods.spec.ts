import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BROKER_LOGINS, COMMANDS, SERVICES, UPLOAD_SEND_TIMEOUT_MS } from '@switchboard/contracts';
import { STOP_WITHIN_MS } from '@switchboard/platform';
import { declaredSettings } from '../docker/testing/service-settings';
import { MB, MEASURED_MB, memoryProblems, MIB, mebibytes } from './testing/memory';
import { containerOf, OVERLAYS, renderManifests, type Workload, workloadsOf } from './testing/manifests';
import { ROOT } from './testing/paths';

describe.each(['base', ...OVERLAYS])('pods of k8s/%s', (folder) => {
  let workloads: Workload[];

  beforeAll(async () => {
    workloads = workloadsOf(await renderManifests(folder));
  });

  const longRunning = () => workloads.filter(({ kind }) => kind !== 'Job');
  const servicePods = () =>
    longRunning()
      .filter(({ labels }) => labels['app.kubernetes.io/component'] === 'service')
      .map(({ name, pod }) => ({ name, containers: pod.containers }));

  it('run a deployment and a migration per service from its image', () => {
    for (const service of SERVICES) {
      for (const name of [service, `migrate-${service}`]) {
        const workload = workloads.find((each) => each.name === name);
        expect([name, workload && containerOf(workload).image]).toEqual([
          name,
          expect.stringMatching(`^(registry\\.example\\.com/)?switchboard/${service}:`),
        ]);
      }
    }
  });

  it('create a broker login per service and use the administrator once', () => {
    const setUp = workloads.find(({ name }) => name === 'broker-set-up');
    expect(setUp && containerOf(setUp)).toMatchObject({
      command: ['node', '--enable-source-maps', 'prepare-broker.mjs'],
    });
    const given = (setUp && containerOf(setUp).env) ?? [];
    for (const login of BROKER_LOGINS) {
      const secret = given.find(({ name }) => name === `${login.toUpperCase()}_RABBITMQ_URL`)?.valueFrom?.secretKeyRef;
      expect(secret).toMatchObject({ name: expect.stringMatching(`^switchboard-${login}(-|$)`), key: 'RABBITMQ_URL' });
    }
    // Secret of the operator, or the one created by RabbitMQ's cluster operator.
    const administrators = workloads.filter((workload) =>
      /switchboard-broker-admin|RABBITMQ_ADMIN_URL/.test(JSON.stringify(containerOf(workload))),
    );
    expect(administrators.map(({ name }) => name)).toEqual(['broker-set-up']);
  });

  it('probe every long-running container on a named port', () => {
    for (const workload of longRunning()) {
      const { startupProbe, livenessProbe, readinessProbe, ports } = containerOf(workload);
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port;
        expect([workload.name, port !== undefined || probe?.exec !== undefined]).toEqual([workload.name, true]);
        if (port !== undefined) expect(ports?.map(({ name }) => name)).toContain(port);
      }
    }
  });

  it('limit and request memory and CPU everywhere', () => {
    for (const workload of workloads) {
      const amounts = { cpu: expect.stringMatching(/^\d+m?$/), memory: expect.stringMatching(/^\d+Mi$/) };
      expect(containerOf(workload).resources).toEqual({ requests: amounts, limits: amounts });
    }
  });

  it('run under the restricted security profile', () => {
    for (const workload of workloads) {
      const { securityContext, automountServiceAccountToken } = workload.pod;
      expect([workload.name, automountServiceAccountToken]).toEqual([workload.name, false]);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(securityContext?.runAsUser).toBeGreaterThan(0);
      expect(containerOf(workload).securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('use a read-only root and a /tmp in Switchboard containers', () => {
    for (const workload of workloads.filter((each) => containerOf(each).image?.includes('switchboard/'))) {
      const { securityContext, volumeMounts } = containerOf(workload);
      expect([workload.name, securityContext?.readOnlyRootFilesystem]).toEqual([workload.name, true]);
      expect(volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' });
    }
  });

  it('pin every image, in production to the last release per service', async () => {
    const { version } = JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8')) as { version: string };
    const ours = ['base', 'overlays/dev'].includes(folder)
      ? new RegExp(`^switchboard/[a-z]+:${version}$`)
      : /^registry\.example\.com\/switchboard\/[a-z]+:\d+\.\d+\.\d+$/;
    for (const workload of workloads) {
      const image = containerOf(workload).image ?? '';
      expect(image).toMatch(image.includes('switchboard/') ? ours : /^[a-z]+:\d+\.\d+[\w.-]*$/);
    }
  });

  it('leave every service time to finish its responses', () => {
    for (const { name, pod } of longRunning().filter(
      (each) => each.labels['app.kubernetes.io/component'] === 'service',
    )) {
      const [, seconds] = pod.containers[0]?.lifecycle?.preStop?.exec?.command ?? ['none', '0'];
      expect([name, pod.terminationGracePeriodSeconds]).toEqual([name, expect.any(Number)]);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + STOP_WITHIN_MS / 1_000);
    }
  });

  it('drain connections within the shutdown time', async () => {
    const { fields } = await declaredSettings('gateway', 'main');
    const longest = ['60', '61'].map((text) => fields['CONNECTION_DRAIN_SECONDS']?.safeParse(text).success);
    expect(longest).toEqual([true, false]);
    expect(STOP_WITHIN_MS).toBeGreaterThan(60_000);
  });

  it('outlast the longest command on shutdown', () => {
    expect(STOP_WITHIN_MS).toBeGreaterThan(
      Math.max(UPLOAD_SEND_TIMEOUT_MS, ...COMMANDS.map(({ timeoutMs }) => timeoutMs)) + 5_000,
    );
  });

  it('use one service account per service, without a token', () => {
    for (const service of SERVICES)
      for (const name of [service, `migrate-${service}`])
        expect([name, workloads.find((each) => each.name === name)?.pod.serviceAccountName]).toEqual([name, service]);
  });

  it('request the memory of normal operation', () => {
    const least = folder === 'overlays/dev' ? 0 : MEASURED_MB * MB;
    for (const { name, containers } of servicePods()) {
      const request = mebibytes(containers[0]?.resources?.requests?.['memory']);
      expect([name, request * MIB >= least]).toEqual([name, true]);
    }
  });

  it('limit memory above the documented peak and the heap', async () => {
    for (const { name, containers } of servicePods()) {
      const limitMib = mebibytes(containers[0]?.resources?.limits?.['memory']);
      const options = containers[0]?.env?.find((each) => each.name === 'NODE_OPTIONS')?.value;
      expect(await memoryProblems({ service: name, limitMib, options })).toEqual([]);
    }
  });

  it('run each migration to completion without restarting it', () => {
    for (const { name, pod } of workloads.filter(({ kind }) => kind === 'Job')) {
      expect(pod.restartPolicy).toBe('Never');
      const program = name === 'broker-set-up' ? 'prepare-broker.mjs' : 'migrate.mjs';
      expect(pod.containers[0]?.command).toEqual(['node', '--enable-source-maps', program]);
    }
  });
});
