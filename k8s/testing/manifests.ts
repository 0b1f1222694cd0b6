import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1';
import type { Job } from 'kubernetes-types/batch/v1';
import type { Container, PodSpec } from 'kubernetes-types/core/v1';
import type { LabelSelector } from 'kubernetes-types/meta/v1';
import { parseAllDocuments, stringify } from 'yaml';
import { kustomize } from './kubectl';
import { LOCAL, ROOT } from './paths';

export type Labels = Record<string, string>;

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
}

export interface Workload {
  name: string;
  kind: 'Deployment' | 'StatefulSet' | 'Job';
  labels: Labels;
  /** Absent for a Job, whose selector Kubernetes generates. */
  selector?: LabelSelector;
  pod: PodSpec;
  volumeClaims: string[];
}

/** Overlays, each a separate installation. */
export const OVERLAYS = ['overlays/dev', 'overlays/staging', 'overlays/production'];

/** Combinations of components that other overlays may use. Every component is in at least one of them. */
export const COMBINATIONS = [
  ['ingress', 'cert-manager', 'redis', 'argocd'],
  ['cert-manager', 'gateway-api', 'external-secrets', 'keda'],
  ['prometheus-operator', 'keda', 'argocd'],
];

export async function renderManifests(folder: string): Promise<Manifest[]> {
  return toManifests(await kustomize(resolve(ROOT, 'k8s', folder)));
}

function toManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** Renders a directory under k8s/ with components on top, in their order. */
export async function renderWithComponents(folder: string, components: string[]): Promise<Manifest[]> {
  await mkdir(LOCAL, { recursive: true });
  const place = await mkdtemp(`${LOCAL}/k8s-components-`);
  try {
    const from = (name: string): string => relative(place, resolve(ROOT, 'k8s', name));
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [from(folder)],
      components: components.map((component) => from(`components/${component}`)),
    };
    await writeFile(`${place}/kustomization.yaml`, stringify(kustomization));
    return toManifests(await kustomize(place));
  } finally {
    await rm(place, { recursive: true });
  }
}

export function ofKind<Kind>(manifests: Manifest[], kind: string): (Kind & Manifest)[] {
  return manifests.filter((manifest) => manifest.kind === kind) as (Kind & Manifest)[];
}

export function workloadsOf(manifests: Manifest[]): Workload[] {
  const kinds: Workload['kind'][] = ['Deployment', 'StatefulSet', 'Job'];
  return kinds.flatMap((kind) =>
    ofKind<Deployment | StatefulSet | Job>(manifests, kind).map((manifest) => toWorkload(kind, manifest)),
  );
}

function toWorkload(kind: Workload['kind'], manifest: (Deployment | StatefulSet | Job) & Manifest): Workload {
  const template = manifest.spec?.template;
  if (!template?.spec) throw new Error(`${manifest.metadata.name} has no pod template`);
  const claims =
    manifest.spec && 'volumeClaimTemplates' in manifest.spec ? manifest.spec.volumeClaimTemplates : undefined;
  return {
    name: manifest.metadata.name,
    kind,
    labels: template.metadata?.labels ?? {},
    selector: manifest.spec?.selector,
    pod: template.spec,
    volumeClaims: (claims ?? []).map((claim) => claim.metadata?.name ?? ''),
  };
}

export function containerOf(workload: Workload): Container {
  const [container, ...others] = workload.pod.containers;
  if (!container || others.length > 0)
    throw new Error(`${workload.name} has ${workload.pod.containers.length} containers, not one`);
  return container;
}

/** Returns true if a label selector matches these labels. An empty selector matches everything. */
export function selects(selector: LabelSelector, labels: Labels): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return (
    equal &&
    (selector.matchExpressions ?? []).every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`selector operator ${operator} is not understood here`);
      return values?.includes(labels[key] ?? '') ?? false;
    })
  );
}

/** Removes kustomize's hash from a generated name: `switchboard-otp-f6m5md9h8c` becomes `switchboard-otp`. */
export function withoutHash(name: string): string {
  return name.replace(/-[2456789bcdfghkmt]{10}$/, '');
}
