import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Manifest, renderManifests } from './testing/manifests';
import { LOCAL, ROOT } from './testing/paths';

const run = promisify(execFile);
const TSC = resolve(ROOT, 'node_modules/typescript-7/bin/tsc');

describe('The manifests against the types of the Kubernetes API', () => {
  it.each(['base', 'overlays/dev'])('accept everything %s renders', async (folder) => {
    expect(await typeErrors(await renderManifests(folder))).toEqual([]);
  });

  it('refuse a field the API does not know', async () => {
    const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', prots: [] }] } };
    expect(await typeErrors([{ apiVersion: 'v1', kind: 'Pod', ...pod }])).toEqual([
      expect.stringMatching(/prots.*does not exist in type 'Container'/),
    ]);
  });

  it('refuse a field of the wrong type', async () => {
    const deployment = { metadata: { name: 'a' }, spec: { replicas: 'two', selector: {}, template: {} } };
    expect(await typeErrors([{ apiVersion: 'apps/v1', kind: 'Deployment', ...deployment }])).toEqual([
      expect.stringContaining(`'string' is not assignable to type 'number'`),
    ]);
  });

  it('refuse an API version that is gone', async () => {
    expect(await typeErrors([{ apiVersion: 'extensions/v1beta1', kind: 'Ingress', metadata: { name: 'a' } }])).toEqual([
      expect.stringContaining(`Cannot find module 'kubernetes-types/extensions/v1beta1'`),
    ]);
  });
});

/** The compiler's complaints when each manifest is written as a literal of its type; none when all fit. */
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

function asLiteral(manifest: Manifest, index: number): string {
  const version = manifest.apiVersion === 'v1' ? 'core/v1' : manifest.apiVersion.replace('.k8s.io', '');
  return [
    `import type { ${manifest.kind} as Type${index} } from 'kubernetes-types/${version}';`,
    `export const manifest${index}: Type${index} = ${JSON.stringify(manifest, null, 2)};`,
  ].join('\n');
}
