import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { COMMANDS, EVENTS, queueOf, SERVICES, TASKS } from '@switchboard/contracts';
import type { Deployment } from 'kubernetes-types/apps/v1';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2';
import type { ConfigMap } from 'kubernetes-types/core/v1';
import type { Ingress } from 'kubernetes-types/networking/v1';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1';
import { declaredSettings } from '../docker/testing/service-settings';
import {
  COMBINATIONS,
  type Manifest,
  ofKind,
  OVERLAYS,
  renderManifests,
  renderWithComponents,
  withoutHash,
} from './testing/manifests';
import { ROOT } from './testing/paths';

interface ScaledObject {
  spec: {
    scaleTargetRef: { name: string };
    minReplicaCount: number;
    maxReplicaCount: number;
    triggers: { type: string; authenticationRef?: { name: string }; metadata: Record<string, string> }[];
  };
}

const SERVICE = 'switchboard/service';
const labelOf = ({ metadata }: Manifest, name: string): string | undefined => metadata.labels?.[name];
const services = (manifests: Manifest[]) =>
  ofKind<Deployment>(manifests, 'Deployment').filter(
    (deployment) => labelOf(deployment, 'app.kubernetes.io/component') === 'service',
  );

it('covers every component by a tested combination', async () => {
  const folders = await readdir(resolve(ROOT, 'k8s/components'));
  expect([...new Set(COMBINATIONS.flat())].sort()).toEqual(folders.sort());
});

describe.each(['base', ...OVERLAYS])('services of k8s/%s', (folder) => {
  let manifests: Manifest[];

  beforeAll(async () => {
    manifests = await renderManifests(folder);
  });

  it('are selectable by label: workload, migration, settings, account, budget', () => {
    for (const service of SERVICES) {
      const chosen = manifests.filter((manifest) => labelOf(manifest, SERVICE) === service);
      const names = chosen.map(({ kind, metadata }) => `${kind} ${withoutHash(metadata.name)}`);
      expect(names).toEqual(
        expect.arrayContaining([
          `Deployment ${service}`,
          `Job migrate-${service}`,
          `ConfigMap switchboard-${service}`,
          `ServiceAccount ${service}`,
          `PodDisruptionBudget ${service}`,
        ]),
      );
    }
  });

  it('lose one pod at a time to a drain, ready or not', () => {
    const budgets = ofKind<PodDisruptionBudget>(manifests, 'PodDisruptionBudget');
    for (const service of SERVICES)
      expect(budgets.find(({ metadata }) => metadata.name === service)?.spec).toMatchObject({
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        maxUnavailable: 1,
      });
  });

  it('have no replica count if they have an autoscaler, and at most one autoscaler', () => {
    const scaled = scalersOf(manifests).map(({ name }) => name);
    expect(scaled).toEqual([...new Set(scaled)]);
    expect(scaled).toEqual(expect.arrayContaining(['gateway', 'messaging']));
    for (const { metadata, spec } of services(manifests))
      expect([metadata.name, spec?.replicas === undefined]).toEqual([metadata.name, scaled.includes(metadata.name)]);
  });

  it('are spread over nodes and zones', () => {
    for (const { spec } of services(manifests))
      expect(spec?.template.spec?.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toEqual([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ]);
  });

  it('read their own settings and those of their groups', () => {
    for (const { metadata, spec } of services(manifests)) {
      const maps = (spec?.template.spec?.containers[0]?.envFrom ?? []).flatMap(({ configMapRef }) =>
        configMapRef?.name ? [withoutHash(configMapRef.name)] : [],
      );
      const others = SERVICES.filter((name) => name !== metadata.name).map((name) => `switchboard-${name}`);
      expect(maps).toContain(`switchboard-${metadata.name}`);
      expect(maps.filter((name) => others.includes(name as never))).toEqual([]);
    }
  });
});

describe('database connections', () => {
  it.each(['base', 'overlays/staging', 'overlays/production'])(
    'match the README for %s at maximum scale during a rollout',
    async (folder) => {
      const open = await connectionsOf(await renderManifests(folder));
      const readme = await readFile(resolve(ROOT, 'k8s/README.md'), 'utf8');
      if (folder === 'base') expect(readme).toContain(`services of the base open ${open} connections`);
      if (folder === 'overlays/production') expect(readme).toContain(`those of production ${open}:`);
    },
  );

  it.each(['overlays/staging', 'overlays/production'])('stay below 80 %% of max_connections in %s', async (folder) => {
    const manifests = await renderManifests(folder);
    const [cluster] = ofKind<{ spec: { postgresql: { parameters: Record<string, string> } } }>(manifests, 'Cluster');
    const most = Number(cluster?.spec.postgresql.parameters['max_connections']);
    expect(await connectionsOf(manifests)).toBeLessThan(0.8 * most);
  });
});

describe('components/keda', () => {
  it('scales each service by its own queues, using its own login', async () => {
    const queues = [
      ...[...COMMANDS, ...TASKS].map((contract) => queueOf(contract, contract.owner)),
      ...EVENTS.flatMap((event) => event.consumers.map((consumer) => queueOf(event, consumer))),
    ];
    const manifests = await renderWithComponents('base', ['keda']);
    const scaled = ofKind<ScaledObject>(manifests, 'ScaledObject');
    expect(scaled.map(({ metadata }) => metadata.name).sort()).toEqual(['jobs', 'messaging', 'webhooks']);
    const logins = ofKind<{ spec: { secretTargetRef: object[] } }>(manifests, 'TriggerAuthentication');
    for (const { spec } of scaled) {
      const { name } = spec.scaleTargetRef;
      const asked = spec.triggers.filter(({ type }) => type === 'rabbitmq');
      expect(asked.length).toBeGreaterThan(0);
      for (const { metadata, authenticationRef } of asked) {
        expect(queues).toContain(metadata['queueName']);
        expect(metadata['queueName']).toMatch(new RegExp(`^${name}\\.`));
        const login = logins.find((each) => each.metadata.name === authenticationRef?.name);
        expect(login?.spec.secretTargetRef).toEqual([
          { parameter: 'host', name: `switchboard-${name}`, key: 'RABBITMQ_URL' },
        ]);
      }
    }
  });
});

describe('components/redis', () => {
  it('matches the REDIS_URL of the gateways', async () => {
    const manifests = await renderWithComponents('base', ['redis']);
    const settings = ofKind<ConfigMap>(manifests, 'ConfigMap').find(
      ({ metadata }) => withoutHash(metadata.name) === 'switchboard-gateway',
    );
    expect(settings?.data?.['REDIS_URL']).toBe('redis://redis:6379');
    expect(ofKind(manifests, 'Service').map(({ metadata }) => metadata.name)).toContain('redis');
  });
});

describe('ingress components', () => {
  it('route callbacks and all other paths to the gateway', async () => {
    const [ingress] = ofKind<Ingress>(await renderWithComponents('base', ['ingress']), 'Ingress');
    const paths = ingress?.spec?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? [];
    expect(paths.map(({ path, pathType }) => `${pathType} ${path}`)).toEqual(['Exact /callbacks/upstream', 'Prefix /']);
    for (const { backend } of paths) expect(backend.service).toEqual({ name: 'gateway', port: { name: 'http' } });

    const routes = ofKind<{ spec: { rules: { matches?: { path: object }[]; backendRefs?: object[] }[] } }>(
      await renderWithComponents('base', ['gateway-api']),
      'HTTPRoute',
    );
    const rules = routes.find(({ metadata }) => metadata.name === 'gateway')?.spec.rules ?? [];
    expect(rules.map(({ matches }) => matches?.[0]?.path)).toEqual([
      { type: 'Exact', value: '/callbacks/upstream' },
      { type: 'PathPrefix', value: '/' },
    ]);
    for (const { backendRefs } of rules) expect(backendRefs).toEqual([{ name: 'gateway', port: 80 }]);
  });

  it.each(OVERLAYS.filter((folder) => folder !== 'overlays/dev'))(
    'use one host in %s for address, certificate, listeners and routes',
    async (folder) => {
      const manifests = await renderManifests(folder);
      const [address] = ofKind<ConfigMap>(manifests, 'ConfigMap').flatMap(
        ({ data }) => data?.['PUBLIC_BASE_URL'] ?? [],
      );
      const host = new URL(address ?? '').host;
      const hosts = manifests
        .filter(({ kind }) => ['Certificate', 'Gateway', 'HTTPRoute'].includes(kind))
        .flatMap((manifest) => JSON.stringify(manifest).match(/[a-z.]*switchboard[a-z.]*\.example\.com/g) ?? []);
      expect([...new Set(hosts)]).toEqual([host]);
    },
  );
});

describe('components/argocd', () => {
  it('syncs prerequisites, migrations, services and then the gateway', async () => {
    const manifests = await renderWithComponents('overlays/production', ['argocd']);
    const waveOf = (kind: string, name?: string): number[] => [
      ...new Set(
        manifests
          .filter((each) => each.kind === kind && (name === undefined || each.metadata.name === name))
          .map(({ metadata }) =>
            Number(
              (metadata as { annotations?: Record<string, string> }).annotations?.['argocd.argoproj.io/sync-wave'] ?? 0,
            ),
          ),
      ),
    ];
    for (const kind of ['ConfigMap', 'ExternalSecret', 'ServiceAccount', 'NetworkPolicy', 'Cluster', 'RabbitmqCluster'])
      expect([kind, waveOf(kind)]).toEqual([kind, [-2]]);
    // RabbitMQ waits for its certificate, while the certificate of the public host waits for the routes.
    expect(waveOf('Certificate', 'rabbitmq')).toEqual([-2]);
    expect(waveOf('Issuer', 'rabbitmq-ca')).toEqual([-2]);
    expect(waveOf('Certificate', 'switchboard')).toEqual([0]);
    expect(waveOf('Job')).toEqual([-1]);
    expect(waveOf('Deployment', 'messaging')).toEqual([0]);
    expect(waveOf('Deployment', 'gateway')).toEqual([1]);
    for (const { metadata } of ofKind<{ metadata: { annotations: object } }>(manifests, 'Job'))
      expect(metadata.annotations).toMatchObject({
        'argocd.argoproj.io/hook': 'Sync',
        'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
      });
  });
});

describe('components/prometheus-operator', () => {
  it('scrapes the management port of every service as the expected job', async () => {
    const manifests = await renderWithComponents('base', ['prometheus-operator']);
    const monitor = ofKind<{
      spec: { jobLabel: string; selector: { matchLabels: Record<string, string> }; podMetricsEndpoints: object[] };
    }>(manifests, 'PodMonitor').find(({ metadata }) => metadata.name === 'switchboard');
    expect(monitor?.spec.jobLabel).toBe('app.kubernetes.io/name');
    expect(monitor?.spec.podMetricsEndpoints).toMatchObject([{ port: 'management', path: '/metrics' }]);
    for (const { spec } of services(manifests))
      expect(spec?.template.metadata?.labels).toMatchObject(monitor?.spec.selector.matchLabels ?? { none: '' });
  });
});

/** Returns scaled workloads and their maximum number of pods. */
function scalersOf(manifests: Manifest[]): { name: string; most: number }[] {
  const classic = ofKind<HorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => ({
    name: spec?.scaleTargetRef.name ?? '',
    most: spec?.maxReplicas ?? 0,
  }));
  const byQueue = ofKind<ScaledObject>(manifests, 'ScaledObject').map(({ spec }) => ({
    name: spec.scaleTargetRef.name,
    most: spec.maxReplicaCount,
  }));
  return [...classic, ...byQueue];
}

/** Returns the database connections of all services at maximum scale, plus one pod per service for a rollout. */
async function connectionsOf(manifests: Manifest[]): Promise<number> {
  const scalers = scalersOf(manifests);
  const parts = services(manifests).map(async ({ metadata, spec }) => {
    const { fields } = await declaredSettings(metadata.name, 'main');
    const pools = Object.entries(fields).filter(([name]) => /^DATABASE_\w+_CONNECTIONS$/.test(name));
    const each = pools.reduce((sum, [, field]) => sum + Number(field.parse(undefined)), 0);
    expect(each).toBeGreaterThan(0);
    const pods = scalers.find(({ name }) => name === metadata.name)?.most ?? spec?.replicas ?? 1;
    return each * (pods + 1);
  });
  return (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
}
