import { resolve } from 'node:path';
import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1';
import type { Job } from 'kubernetes-types/batch/v1';
import type { Container, PodSpec } from 'kubernetes-types/core/v1';
import type { LabelSelector } from 'kubernetes-types/meta/v1';
import { parseAllDocuments } from 'yaml';
import { kustomize } from './kubectl';
import { ROOT } from './paths';

export type Labels = Record<string, string>;

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
}

/** Something that runs pods, with what the checks ask of it. */
export interface Workload {
  name: string;
  kind: 'Deployment' | 'StatefulSet' | 'Job';
  labels: Labels;
  /** Absent for a Job: Kubernetes makes it up. */
  selector?: LabelSelector;
  pod: PodSpec;
  volumeClaims: string[];
}

/** The objects of a folder under k8s/, as a cluster would get them. */
export async function renderManifests(folder: string): Promise<Manifest[]> {
  const text = await kustomize(resolve(ROOT, 'k8s', folder));
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
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

/** Whether a label selector chooses these labels; an empty one chooses everything. */
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

/** `switchboard-otp` of `switchboard-otp-f6m5md9h8c`, the name kustomize gives to a generated object. */
export function withoutHash(name: string): string {
  return name.replace(/-[2456789bcdfghkmt]{10}$/, '');
}
