import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';
import { parse } from 'yaml';
import { COMBINATIONS, type Manifest, OVERLAYS, renderManifests, renderWithComponents } from './testing/manifests';
import { LOCAL, ROOT } from './testing/paths';

const run = promisify(execFile);
const TSC = resolve(ROOT, 'node_modules/typescript-7/bin/tsc');

/** Packages with types and validators that are generated from the published schemas of each operator's objects. */
const PUBLISHED: Record<string, string> = {
  'argoproj.io': '@kubernetes-models/argo-cd',
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};
/** Kinds without such a package. k8s/README.md lists them and how they were tested. */
const UNPUBLISHED = ['rabbitmq.com/v1beta1 RabbitmqCluster', 'barmancloud.cnpg.io/v1 ObjectStore'];

const kindOf = ({ apiVersion, kind }: Manifest): string => `${apiVersion} ${kind}`;
const isPublished = (manifest: Manifest): boolean => !UNPUBLISHED.includes(kindOf(manifest));

describe('manifest types', () => {
  it.each(['base', ...OVERLAYS])('accept everything %s renders', async (folder) => {
    expect(await problemsOf(await renderManifests(folder))).toEqual([]);
  });

  it.each(COMBINATIONS)('accept everything that the base renders with %s', async (...components) => {
    expect(await problemsOf(await renderWithComponents('base', components))).toEqual([]);
  });

  it('accept the Argo CD Application, which names existing directories', async () => {
    const file = resolve(ROOT, 'k8s/components/argocd/application.yaml');
    const application = parse(await readFile(file, 'utf8')) as Manifest & {
      spec: { source: { path: string; kustomize: { components: string[] } } };
    };
    expect(await problemsOf([application])).toEqual([]);
    const { path, kustomize } = application.spec.source;
    for (const folder of [path, ...kustomize.components.map((component) => `${path}/${component}`)])
      expect(await readFile(resolve(ROOT, folder, 'kustomization.yaml'), 'utf8')).toContain('kind:');
  });

  it('accept the restored cluster, the only change from production', async () => {
    const production = (await renderManifests('overlays/production')).map((manifest) => JSON.stringify(manifest));
    const restored = await renderManifests('overlays/production-restore');
    const changed = restored.filter((manifest) => !production.includes(JSON.stringify(manifest)));
    expect(restored).toHaveLength(production.length);
    expect(changed.map(kindOf)).toEqual(['postgresql.cnpg.io/v1 Cluster']);
    expect(await problemsOf(changed)).toEqual([]);
    const [cluster] = changed as (Manifest & ICluster)[];
    const read = cluster?.spec?.externalClusters?.[0];
    expect(read?.name).toBe(cluster?.spec?.bootstrap?.recovery?.source);
    expect(cluster?.spec?.plugins?.[0]?.parameters?.['serverName']).not.toBe(read?.plugin?.parameters?.['serverName']);
    expect(cluster?.spec?.bootstrap?.recovery?.recoveryTarget?.targetTime).toMatch(/(Z|[+-]\d{2}:\d{2})$/);
  });

  it('lack only the kinds that the README lists', async () => {
    const manifests = await renderManifests('overlays/production');
    const unpublished = manifests.map(kindOf).filter((kind) => UNPUBLISHED.includes(kind));
    expect([...new Set(unpublished)].sort()).toEqual([...UNPUBLISHED].sort());
    const readme = await readFile(resolve(ROOT, 'k8s/README.md'), 'utf8');
    for (const kind of UNPUBLISHED) expect(readme).toContain(kind.split(' ')[1]);
  });

  it('reject an unknown field', async () => {
    const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', prots: [] }] } };
    expect(await problemsOf([{ apiVersion: 'v1', kind: 'Pod', ...pod }])).toEqual([
      expect.stringMatching(/prots.*does not exist in type 'Container'/),
    ]);
  });

  it('reject a field of the wrong type', async () => {
    const deployment = { metadata: { name: 'a' }, spec: { replicas: 'two', selector: {}, template: {} } };
    expect(await problemsOf([{ apiVersion: 'apps/v1', kind: 'Deployment', ...deployment }])).toEqual([
      expect.stringContaining(`'string' is not assignable to type 'number'`),
    ]);
  });

  it('reject a removed API version', async () => {
    expect(await problemsOf([{ apiVersion: 'extensions/v1beta1', kind: 'Ingress', metadata: { name: 'a' } }])).toEqual([
      expect.stringContaining(`Cannot find module 'kubernetes-types/extensions/v1beta1'`),
    ]);
  });

  it('reject an unknown field in an object of each operator', async () => {
    const rendered = await renderManifests('overlays/production');
    const groups = Object.keys(PUBLISHED).filter((group) => group !== 'argoproj.io');
    const broken = groups.map((group) => {
      const object = rendered.find(({ apiVersion }) => apiVersion.startsWith(`${group}/`));
      if (!object) throw new Error(`production has no object of ${group}`);
      return { ...object, spec: { ...(object as Manifest & { spec: object }).spec, unknownField: 1 } } as Manifest;
    });
    const problems = await problemsOf(broken);
    expect(problems).toHaveLength(groups.length);
    for (const problem of problems) expect(problem).toMatch(/unknownField.*does not exist in type/);
  });

  it('reject a value that the published schema forbids', async () => {
    const scaled = {
      metadata: { name: 'a' },
      spec: { scaleTargetRef: { name: 'a' }, triggers: [], maxReplicaCount: 1.5 },
    };
    expect(await problemsOf([{ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', ...scaled }])).toEqual([
      expect.stringContaining('maxReplicaCount must be integer'),
    ]);
  });
});

async function problemsOf(manifests: Manifest[]): Promise<string[]> {
  const known = manifests.filter(isPublished);
  const refused = await Promise.all(known.map(refusalOf));
  return [...(await typeErrors(known)), ...refused.filter((text) => text !== undefined)];
}

/**
 * Returns the validation error of an operator's object, or undefined when the object is valid or belongs to Kubernetes
 * itself.
 */
async function refusalOf(manifest: Manifest): Promise<string | undefined> {
  const source = PUBLISHED[groupOf(manifest)];
  if (source === undefined) return undefined;
  const module = (await import(`${source}/${manifest.apiVersion}`)) as Record<string, Validated | undefined>;
  const Model = module[manifest.kind];
  if (!Model) return `${source} has no ${manifest.kind}`;
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return `${manifest.kind} ${manifest.metadata.name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Validated = new (manifest: Manifest) => { validate(): void };

/** Returns compiler errors for each manifest, written as a literal of its type. */
async function typeErrors(manifests: Manifest[]): Promise<string[]> {
  await mkdir(LOCAL, { recursive: true });
  const folder = await mkdtemp(`${LOCAL}/k8s-types-`);
  try {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      module: 'esnext',
      moduleResolution: 'bundler',
    };
    await writeFile(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
    await writeFile(`${folder}/manifests.ts`, manifests.map(asLiteral).join('\n'));
    await run(process.execPath, [TSC, '-p', folder]);
    return [];
  } catch (error) {
    const output = (error as { stdout?: string }).stdout ?? '';
    if (!output.includes('error TS')) throw error;
    return output.split('\n').filter((line) => line.includes('error TS'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const groupOf = ({ apiVersion }: Manifest): string => apiVersion.split('/')[0] ?? '';

function asLiteral(manifest: Manifest, index: number): string {
  const source = PUBLISHED[groupOf(manifest)];
  const version = manifest.apiVersion === 'v1' ? 'core/v1' : manifest.apiVersion;
  const [type, module] = source
    ? [`I${manifest.kind}`, `${source}/${version}`]
    : [manifest.kind, `kubernetes-types/${version.replace('.k8s.io', '')}`];
  return [
    `import type { ${type} as Type${index} } from '${module}';`,
    `export const manifest${index}: Type${index} = ${JSON.stringify(manifest, null, 2)};`,
  ].join('\n');
}
