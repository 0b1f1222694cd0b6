import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TopologySpreadConstraint } from 'kubernetes-types/core/v1';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1';
import {
  containerOf,
  type Manifest,
  ofKind,
  renderManifests,
  selects,
  type Workload,
  workloadsOf,
} from './testing/manifests';
import { ROOT } from './testing/paths';

interface Postgres {
  spec: {
    instances: number;
    bootstrap: { initdb: { postInitApplicationSQL: string[] } };
    topologySpreadConstraints?: TopologySpreadConstraint[];
  };
}
interface Rabbitmq {
  spec: {
    replicas: number;
    rabbitmq: { additionalConfig: string };
    tls: { secretName: string; disableNonTLSListeners: boolean };
    override?: {
      statefulSet: { spec: { template: { spec: { topologySpreadConstraints: TopologySpreadConstraint[] } } } };
    };
  };
}

interface PodMonitor {
  spec: {
    jobLabel: string;
    selector: { matchLabels: Record<string, string> };
    podMetricsEndpoints: {
      port: string;
      scheme?: string;
      tlsConfig?: { ca: object; serverName: string };
    }[];
  };
}

interface Certificate {
  spec: { secretName: string; dnsNames?: string[] };
}

/** Labels that the operators set on their pods. */
const POSTGRES_POD: Record<string, string> = { 'cnpg.io/cluster': 'postgres', 'cnpg.io/podRole': 'instance' };
const RABBITMQ_POD: Record<string, string> = {
  'app.kubernetes.io/name': 'rabbitmq',
  'app.kubernetes.io/component': 'rabbitmq',
};
const AUTHORITIES = '/etc/switchboard/authorities';
/** Secret in which CloudNativePG stores the certificate of its CA. */
const POSTGRES_CA = 'postgres-ca';

describe('production data stores', () => {
  let manifests: Manifest[];
  let postgres: Postgres['spec'];
  let rabbitmq: Rabbitmq['spec'];

  beforeAll(async () => {
    manifests = await renderManifests('overlays/production');
    postgres = only<Postgres>(manifests, 'Cluster').spec;
    rabbitmq = only<Rabbitmq>(manifests, 'RabbitmqCluster').spec;
  });

  it('run one server in each of three zones', () => {
    const constraints = rabbitmq.override?.statefulSet.spec.template.spec.topologySpreadConstraints;
    expect(postgres.instances).toBe(3);
    expect(rabbitmq.replicas).toBe(3);
    expectOneInEachZone(postgres.topologySpreadConstraints, POSTGRES_POD);
    expectOneInEachZone(constraints, RABBITMQ_POD);
  });

  it('spread queue leaders over the RabbitMQ nodes', () => {
    expect(rabbitmq.rabbitmq.additionalConfig).toMatch(/^queue_leader_locator = balanced$/m);
  });
});

describe.each(['production', 'staging'])('TLS in %s', (overlay) => {
  let manifests: Manifest[];
  let clients: Workload[];

  beforeAll(async () => {
    manifests = await renderManifests(`overlays/${overlay}`);
    clients = workloadsOf(manifests).filter(({ labels }) =>
      ['service', 'migration'].includes(labels['app.kubernetes.io/component'] ?? ''),
    );
  });

  it('is the only way to connect to RabbitMQ', () => {
    const { tls, rabbitmq } = only<Rabbitmq>(manifests, 'RabbitmqCluster').spec;
    expect(tls).toEqual({ secretName: 'rabbitmq-tls', disableNonTLSListeners: true });
    expect(rabbitmq.additionalConfig).toMatch(/^prometheus\.tcp\.listener = none$/m);
    for (const name of ['to-broker', 'to-broker-management', 'rabbitmq'])
      for (const plain of [5672, 15672, 15692]) expect(openPorts(manifests, name)).not.toContain(plain);
  });

  it('covers every host name of RabbitMQ by its certificate', () => {
    const certificate = ofKind<Certificate>(manifests, 'Certificate').find(
      ({ spec }) => spec.secretName === 'rabbitmq-tls',
    );
    const { namespace } = only<Manifest>(manifests, 'RabbitmqCluster').metadata;
    // The management URL uses the first name, and the operator uses the second one in the administrator's URL.
    expect(certificate?.spec.dnsNames).toEqual(expect.arrayContaining(['rabbitmq', `rabbitmq.${namespace}.svc`]));
    const setUp = clients.find(({ name }) => name === 'broker-set-up');
    expect(environmentOf(setUp, 'RABBITMQ_MANAGEMENT_URL')).toBe('https://rabbitmq:15671');
  });

  it('is verified by every client, without access to a CA key', () => {
    const issued = ofKind<Certificate>(manifests, 'Certificate').map(({ spec }) => spec.secretName);
    expect(clients).toHaveLength(13);
    for (const client of clients) {
      expect(environmentOf(client, 'NODE_EXTRA_CA_CERTS')).toBe(`${AUTHORITIES}/rabbitmq.crt`);
      expect(containerOf(client).volumeMounts).toContainEqual(
        expect.objectContaining({ name: 'authorities', mountPath: AUTHORITIES }),
      );
      const volume = client.pod.volumes?.find(({ name }) => name === 'authorities');
      const files = volume?.projected?.sources?.flatMap(({ secret }) =>
        (secret?.items ?? [{ key: 'everything', path: '' }]).map(({ key, path }) => ({ of: secret?.name, key, path })),
      );
      expect(files).toEqual([
        { of: POSTGRES_CA, key: 'ca.crt', path: 'postgres.crt' },
        { of: 'rabbitmq-tls', key: 'ca.crt', path: 'rabbitmq.crt' },
      ]);
      expect(issued).toContain('rabbitmq-tls');
    }
  });

  it('is verified by the migrations as administrators', () => {
    for (const client of clients.filter(({ name }) => name.startsWith('migrate-'))) {
      const names = containerOf(client).env?.map(({ name }) => name) ?? [];
      expect(environmentOf(client, 'DATABASE_ADMIN_URL')).toBe(
        `$(OWNER_URL)?sslmode=verify-full&sslrootcert=${AUTHORITIES}/postgres.crt`,
      );
      // Kubernetes substitutes only variables that are defined earlier.
      expect(names.indexOf('OWNER_URL')).toBeLessThan(names.indexOf('DATABASE_ADMIN_URL'));
      expect(names).toContain('OWNER_URL');
    }
  });

  it('is verified by KEDA', () => {
    const logins = ofKind<{ spec: object }>(manifests, 'TriggerAuthentication');
    expect(logins.length).toBeGreaterThan(0);
    for (const { spec } of logins)
      expect(spec).toMatchObject({
        secretTargetRef: [{ parameter: 'host' }, { parameter: 'ca', name: 'rabbitmq-tls', key: 'ca.crt' }],
        configMapTargetRef: [{ parameter: 'tls', name: 'switchboard-scalers', key: 'TLS' }],
      });
    const settings = ofKind<{ data: object }>(manifests, 'ConfigMap').find(
      ({ metadata }) => metadata.name === 'switchboard-scalers',
    );
    expect(settings?.data).toEqual({ TLS: 'enable' });
  });
});

describe.each(['production', 'staging'])('data store metrics in %s', (overlay) => {
  let manifests: Manifest[];

  beforeAll(async () => {
    manifests = await renderManifests(`overlays/${overlay}`);
  });

  const monitor = (name: string): PodMonitor['spec'] => {
    const found = ofKind<PodMonitor>(manifests, 'PodMonitor').find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`no PodMonitor ${name}`);
    return found.spec;
  };

  it('are scraped from CloudNativePG pods as the job postgres', () => {
    const { selector, jobLabel, podMetricsEndpoints } = monitor('postgres');
    expect(selects(selector, POSTGRES_POD)).toBe(true);
    expect(POSTGRES_POD[jobLabel]).toBe('postgres');
    expect(podMetricsEndpoints).toMatchObject([{ port: 'metrics' }]);
    expect(openPorts(manifests, 'postgres')).toContain(9187);
  });

  it('are scraped from RabbitMQ over verified TLS as two jobs', () => {
    const { selector, jobLabel, podMetricsEndpoints } = monitor('rabbitmq');
    const certificate = ofKind<Certificate>(manifests, 'Certificate').find(
      ({ metadata }) => metadata.name === 'rabbitmq',
    );
    expect(selects(selector, RABBITMQ_POD)).toBe(true);
    expect(RABBITMQ_POD[jobLabel]).toBe('rabbitmq');
    expect(podMetricsEndpoints).toMatchObject([
      { path: '/metrics' },
      {
        path: '/metrics/detailed',
        params: { family: ['ra_metrics'] },
        relabelings: [{ targetLabel: 'job', replacement: 'rabbitmq-detailed' }],
      },
    ]);
    for (const { port, scheme, tlsConfig } of podMetricsEndpoints) {
      expect([port, scheme]).toEqual(['prometheus-tls', 'https']);
      expect(tlsConfig?.ca).toEqual({ secret: { name: certificate?.spec.secretName, key: 'ca.crt' } });
      expect(certificate?.spec.dnsNames).toContain(tlsConfig?.serverName);
    }
    expect(openPorts(manifests, 'rabbitmq')).toContain(15691);
  });

  it('remain readable for the CloudNativePG exporter after the migrations', () => {
    expect(only<Postgres>(manifests, 'Cluster').spec.bootstrap.initdb.postInitApplicationSQL).toContain(
      'GRANT CONNECT ON DATABASE switchboard TO pg_monitor',
    );
  });
});

it('documents data store URLs that verify certificates', async () => {
  const readme = await readFile(resolve(ROOT, 'k8s/README.md'), 'utf8');
  expect(readme).toContain(`?sslmode=verify-full&sslrootcert=${AUTHORITIES}/postgres.crt`);
  expect(readme).toContain('`amqps://sb_<service>:…@rabbitmq.switchboard.svc:5671`');
});

describe('staging data stores', () => {
  it('run in a cluster without zones', async () => {
    const manifests = await renderManifests('overlays/staging');
    expect(only<Postgres>(manifests, 'Cluster').spec.topologySpreadConstraints).toBeUndefined();
    expect(only<Rabbitmq>(manifests, 'RabbitmqCluster').spec.override).toBeUndefined();
  });
});

function only<Kind>(manifests: Manifest[], kind: string): Kind {
  const [first, ...others] = ofKind<Kind>(manifests, kind);
  if (!first || others.length > 0) throw new Error(`expected one ${kind}`);
  return first;
}

/** Expects a hard constraint on the operator's pods, with as many domains as servers. */
function expectOneInEachZone(constraints: TopologySpreadConstraint[] | undefined, pod: Record<string, string>): void {
  expect(constraints).toMatchObject([
    { maxSkew: 1, minDomains: 3, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
  ]);
  expect(selects(constraints?.[0]?.labelSelector ?? {}, pod)).toBe(true);
  expect(constraints?.[0]?.labelSelector?.matchLabels).toBeDefined();
}

/** Returns the ports that a policy opens in either direction. */
function openPorts(manifests: Manifest[], name: string): unknown[] {
  const policy = ofKind<NetworkPolicy>(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === name);
  const rules = [...(policy?.spec?.ingress ?? []), ...(policy?.spec?.egress ?? [])];
  expect(rules.length).toBeGreaterThan(0);
  return rules.flatMap(({ ports = [] }) => ports.map(({ port }) => port));
}

function environmentOf(workload: Workload | undefined, name: string): string | undefined {
  return workload && containerOf(workload).env?.find((each) => each.name === name)?.value;
}
