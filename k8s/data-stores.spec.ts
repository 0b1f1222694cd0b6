import type { TopologySpreadConstraint } from 'kubernetes-types/core/v1';
import { type Manifest, ofKind, renderManifests, selects } from './testing/manifests';

interface Postgres {
  spec: { instances: number; topologySpreadConstraints?: TopologySpreadConstraint[] };
}
interface Rabbitmq {
  spec: {
    replicas: number;
    rabbitmq: { additionalConfig: string };
    override?: {
      statefulSet: { spec: { template: { spec: { topologySpreadConstraints: TopologySpreadConstraint[] } } } };
    };
  };
}

describe('the data stores of production', () => {
  let manifests: Manifest[];
  let postgres: Postgres['spec'];
  let rabbitmq: Rabbitmq['spec'];

  beforeAll(async () => {
    manifests = await renderManifests('overlays/production');
    postgres = only<Postgres>(manifests, 'Cluster').spec;
    rabbitmq = only<Rabbitmq>(manifests, 'RabbitmqCluster').spec;
  });

  it('run one server in each of three zones', () => {
    // The labels that the operators give to their pods.
    const postgresPod = { 'cnpg.io/cluster': 'postgres', 'cnpg.io/podRole': 'instance' };
    const rabbitmqPod = { 'app.kubernetes.io/name': 'rabbitmq', 'app.kubernetes.io/component': 'rabbitmq' };
    const constraints = rabbitmq.override?.statefulSet.spec.template.spec.topologySpreadConstraints;
    expect(postgres.instances).toBe(3);
    expect(rabbitmq.replicas).toBe(3);
    expectOneInEachZone(postgres.topologySpreadConstraints, postgresPod);
    expectOneInEachZone(constraints, rabbitmqPod);
  });

  it('spread the leaders of queues over the nodes of RabbitMQ', () => {
    expect(rabbitmq.rabbitmq.additionalConfig).toMatch(/^queue_leader_locator = balanced$/m);
  });
});

describe('the data stores of staging', () => {
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

/** A hard constraint with as many domains as there are servers, which counts the operator's own pods. */
function expectOneInEachZone(constraints: TopologySpreadConstraint[] | undefined, pod: Record<string, string>): void {
  expect(constraints).toMatchObject([
    { maxSkew: 1, minDomains: 3, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
  ]);
  expect(selects(constraints?.[0]?.labelSelector ?? {}, pod)).toBe(true);
  expect(constraints?.[0]?.labelSelector?.matchLabels).toBeDefined();
}
