import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SERVICES } from '@switchboard/contracts';
import type { Deployment } from 'kubernetes-types/apps/v1';
import {
  containerOf,
  type Manifest,
  ofKind,
  renderManifests,
  renderWithComponents,
  type Workload,
  withoutHash,
  workloadsOf,
} from './testing/manifests';
import { ROOT } from './testing/paths';

describe('Kubernetes Secrets', () => {
  it('are absent from the base', async () => {
    expect(ofKind(await renderManifests('base'), 'Secret')).toEqual([]);
  });

  it('match the README and are all used in the dev overlay', async () => {
    const manifests = await renderManifests('overlays/dev');
    const given = ofKind<{ data: Record<string, string> }>(manifests, 'Secret').filter(({ metadata }) =>
      metadata.name.startsWith('switchboard-'),
    );
    const documented = await documentedSecrets();
    expect(
      Object.fromEntries(given.map(({ metadata, data }) => [withoutHash(metadata.name), Object.keys(data).sort()])),
    ).toEqual(documented);
    expect(secretsOf(workloadsOf(await renderManifests('base')))).toEqual(Object.keys(documented).sort());
  });

  it('are provided by the secret manager, except those the operators create', async () => {
    const names = Object.keys(await documentedSecrets());
    const wanted = async (manifests: Promise<Manifest[]>): Promise<string[]> =>
      ofKind(await manifests, 'ExternalSecret')
        .map(({ metadata }) => metadata.name)
        .sort();
    expect(await wanted(renderWithComponents('base', ['external-secrets']))).toEqual(names.sort());
    const made = ['switchboard-broker-admin', 'switchboard-database-admin'];
    expect(await wanted(renderManifests('overlays/production'))).toEqual(
      [...names.filter((name) => !made.includes(name)), 'switchboard-backups'].sort(),
    );
  });

  it.each(['overlays/staging', 'overlays/production'])(
    'exist, like ConfigMaps, for all references in containers of %s',
    async (folder) => {
      const manifests = await renderManifests(folder);
      const made = [...ofKind(manifests, 'ExternalSecret'), ...ofKind(manifests, 'ConfigMap')].map(
        ({ metadata }) => metadata.name,
      );
      // CloudNativePG and RabbitMQ's operator name their Secrets after their clusters.
      const clusters = [...ofKind(manifests, 'Cluster'), ...ofKind(manifests, 'RabbitmqCluster')];
      const byOperators = clusters.map(({ kind, metadata }) =>
        kind === 'Cluster' ? `${metadata.name}-app` : `${metadata.name}-default-user`,
      );
      const asked = exactReferences(workloadsOf(manifests)).filter((name) => name !== 'switchboard-database-admin'); // optional
      expect([...made, ...byOperators]).toEqual(expect.arrayContaining(asked));
    },
  );

  it('restart the services that read them when they change', async () => {
    const manifests = await renderManifests('overlays/production');
    const services = ofKind<Deployment>(manifests, 'Deployment').filter(
      ({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'service',
    );
    expect(services).toHaveLength(SERVICES.length);
    for (const { metadata } of services)
      expect(metadata.annotations).toMatchObject({ 'secret.reloader.stakater.com/auto': 'true' });
  });

  it('exist, like ConfigMaps, for all references in the dev overlay', async () => {
    const manifests = await renderManifests('overlays/dev');
    const existing = [...ofKind(manifests, 'Secret'), ...ofKind(manifests, 'ConfigMap')].map(
      ({ metadata }) => metadata.name,
    );
    expect(existing).toEqual(expect.arrayContaining(exactReferences(workloadsOf(manifests))));
  });
});

/** Returns the names of Secrets with their keys, from the table of k8s/README.md. */
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

function secretsOf(workloads: Workload[]): string[] {
  const names = workloads.flatMap((workload) => {
    const { envFrom = [], env = [] } = containerOf(workload);
    return [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ];
  });
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}
