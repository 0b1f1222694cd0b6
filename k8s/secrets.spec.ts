import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { containerOf, ofKind, renderManifests, type Workload, withoutHash, workloadsOf } from './testing/manifests';
import { ROOT } from './testing/paths';

describe('Secrets', () => {
  it('are never in the base', async () => {
    expect(ofKind(await renderManifests('base'), 'Secret')).toEqual([]);
  });

  it('are all in the dev overlay under the keys the README asks an operator for, and all used', async () => {
    const manifests = await renderManifests('overlays/dev');
    const given = ofKind<{ data: Record<string, string> }>(manifests, 'Secret').filter(({ metadata }) =>
      metadata.name.startsWith('switchboard-'),
    );
    const documented = await documentedSecrets();
    expect(
      Object.fromEntries(given.map(({ metadata, data }) => [withoutHash(metadata.name), Object.keys(data).sort()])),
    ).toEqual(documented);
    expect(
      referencedNames(workloadsOf(await renderManifests('base'))).filter((name) => name !== 'switchboard'),
    ).toEqual(Object.keys(documented).sort());
  });

  it('and settings that a container refers to exist in the dev overlay', async () => {
    const manifests = await renderManifests('overlays/dev');
    const existing = [...ofKind(manifests, 'Secret'), ...ofKind(manifests, 'ConfigMap')].map(
      ({ metadata }) => metadata.name,
    );
    expect(existing).toEqual(expect.arrayContaining(exactReferences(workloadsOf(manifests))));
  });
});

/** Secret name → its keys, from the table of k8s/README.md. */
async function documentedSecrets(): Promise<Record<string, string[]>> {
  const text = await readFile(resolve(ROOT, 'k8s/README.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(switchboard-[a-z-]+)` \| ([^|]+) \|/gm)];
  return Object.fromEntries(
    rows.map(([, name = '', keys = '']) => [
      name,
      [...keys.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, key = '']) => key).sort(),
    ]),
  );
}

function exactReferences(workloads: Workload[]): string[] {
  const names = workloads.flatMap((workload) => {
    const { envFrom = [], env = [] } = containerOf(workload);
    const whole = envFrom.map(({ configMapRef, secretRef }) => configMapRef?.name ?? secretRef?.name);
    return [...whole, ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name)];
  });
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function referencedNames(workloads: Workload[]): string[] {
  return [...new Set(exactReferences(workloads).map(withoutHash))].sort();
}
