import { SERVICES } from '@switchboard/contracts';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2';
import type { Service } from 'kubernetes-types/core/v1';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1';
import {
  containerOf,
  type Manifest,
  OVERLAYS,
  ofKind,
  renderManifests,
  selects,
  type Workload,
  workloadsOf,
} from './testing/manifests';

/** Pods that operators create for an object, by kind, with their labels and documented ports. */
const OPERATED: Record<string, { labels: Record<string, string>; ports: number[] }> = {
  Cluster: { labels: { 'cnpg.io/cluster': 'postgres' }, ports: [5432, 8000, 9187] },
  RabbitmqCluster: {
    labels: { 'app.kubernetes.io/name': 'rabbitmq', 'app.kubernetes.io/component': 'rabbitmq' },
    ports: [4369, 5671, 15671, 15691, 25672],
  },
};

describe.each(['base', ...OVERLAYS])('objects of k8s/%s', (folder) => {
  let manifests: Manifest[];
  let workloads: Workload[];

  beforeAll(async () => {
    manifests = await renderManifests(folder);
    workloads = workloadsOf(manifests);
  });

  const longRunning = () => workloads.filter(({ kind }) => kind !== 'Job');
  const chosenBy = (selector: Parameters<typeof selects>[0]) =>
    workloads.filter(({ labels }) => selects(selector, labels));
  const portsOf = (chosen: Workload[]) => chosen.flatMap((workload) => containerOf(workload).ports ?? []);

  it('select only the pods of their own workload', () => {
    for (const { name, selector } of longRunning()) {
      const chosen = workloads.filter(({ labels }) => selects(selector ?? {}, labels)).map((each) => each.name);
      expect(chosen).toEqual([name]);
    }
  });

  it('point every service at one workload and a named port', () => {
    for (const { metadata, spec } of ofKind<Service>(manifests, 'Service')) {
      const chosen = longRunning().filter(({ labels }) => selects({ matchLabels: spec?.selector }, labels));
      expect([metadata.name, chosen.length]).toEqual([metadata.name, 1]);
      for (const port of spec?.ports ?? []) expect(portsOf(chosen).map(({ name }) => name)).toContain(port.targetPort);
    }
  });

  it('use network policies and disruption budgets that match pods and ports', () => {
    const budgets = ofKind<PodDisruptionBudget>(manifests, 'PodDisruptionBudget');
    const operated = (selector: Parameters<typeof selects>[0]) =>
      manifests.flatMap(({ kind }) => OPERATED[kind] ?? []).filter(({ labels }) => selects(selector, labels));
    for (const { metadata, spec } of budgets) {
      const selector = spec?.selector ?? {};
      expect([metadata.name, chosenBy(selector).length + operated(selector).length]).toEqual([metadata.name, 1]);
    }
    for (const { metadata, spec } of ofKind<NetworkPolicy>(manifests, 'NetworkPolicy')) {
      const selector = spec?.podSelector ?? {};
      const chosen = chosenBy(selector);
      expect([metadata.name, chosen.length + operated(selector).length > 0]).toEqual([metadata.name, true]);
      const open = [
        ...portsOf(chosen).map(({ containerPort }) => containerPort),
        ...operated(selector).flatMap(({ ports }) => ports),
      ];
      for (const rule of spec?.ingress ?? []) for (const { port } of rule.ports ?? []) expect(open).toContain(port);
    }
  });

  it('deny all traffic that no policy allows', () => {
    const denial = ofKind<NetworkPolicy>(manifests, 'NetworkPolicy').find(
      ({ metadata }) => metadata.name === 'deny-by-default',
    );
    expect(denial?.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(denial?.spec?.ingress ?? denial?.spec?.egress).toBeUndefined();
    expect(chosenBy(denial?.spec?.podSelector ?? {})).toHaveLength(workloads.length);
  });

  it('scale only deployments with a CPU request', () => {
    for (const { spec } of ofKind<HorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler')) {
      const target = longRunning().find(
        ({ name, kind }) => name === spec?.scaleTargetRef.name && kind === spec.scaleTargetRef.kind,
      );
      expect(target && containerOf(target).resources?.requests?.cpu).toBeDefined();
      expect(spec?.minReplicas ?? 1).toBeLessThanOrEqual(spec?.maxReplicas ?? 0);
    }
  });

  it('mount only existing volumes', () => {
    for (const { pod, volumeClaims, ...workload } of workloads) {
      const known = [...(pod.volumes ?? []).map(({ name }) => name), ...volumeClaims];
      const mounted = (containerOf({ pod, volumeClaims, ...workload }).volumeMounts ?? []).map(({ name }) => name);
      expect(known).toEqual(expect.arrayContaining(mounted));
    }
  });

  it('label only Deployments as services, so that all other objects apply first', () => {
    const services = manifests.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'service');
    expect(services.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual(
      SERVICES.map((name) => `Deployment ${name}`).sort(),
    );
  });
});
