// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBuiltin } from 'node:module';
import { build } from 'esbuild';
import { ROOT } from '../lib/home.mjs';
import { run } from '../lib/run.mjs';
import { bundleOptions } from '../lib/swc-plugin.mjs';

const sbom = (/** @type {string} */ service) =>
  run(process.execPath, [join(ROOT, 'tools/sbom.mjs'), service], { cwd: ROOT });

/** The packages that the program of a service loads, as its bundle names them. */
async function packagesOf(/** @type {string} */ service) {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: [join(ROOT, `apps/${service}/src/main.ts`)],
    tsconfig: join(ROOT, `apps/${service}/tsconfig.json`),
    outfile: 'main.mjs',
    write: false,
    metafile: true,
  });
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const names = outside
    .filter(({ path }) => !isBuiltin(path))
    .map(({ path }) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)];
}

describe('npm run sbom', () => {
  test.each(['jobs', 'webhooks'])(
    'lists every package that %s loads, at the version of the lock file, and nothing for development',
    async (service) => {
      expect(await sbom(service)).toMatchObject({ code: 0 });
      const bom = JSON.parse(readFileSync(join(ROOT, `dist/sbom/${service}.cdx.json`), 'utf8'));
      expect(bom).toMatchObject({
        bomFormat: 'CycloneDX',
        metadata: { component: { name: `switchboard-${service}` } },
      });
      /** @type {Map<string, string>} */
      const listed = new Map(
        bom.components.map(
          (/** @type {{ group?: string, name: string, version: string }} */ { group, name, version }) => [
            group ? `${group}/${name}` : name,
            version,
          ],
        ),
      );
      const loaded = await packagesOf(service);
      expect(loaded).toEqual(expect.arrayContaining(['pg', 'amqplib', '@nestjs/core']));
      const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
      for (const name of loaded)
        expect([name, listed.get(name)]).toEqual([name, packages[`node_modules/${name}`].version]);
      const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      for (const name of ['vitest', 'esbuild', 'typescript', 'eslint']) {
        expect(manifest.devDependencies).toHaveProperty([name]);
        expect([...listed.keys()]).not.toContain(name);
      }
      // The image has a Node of its own.
      for (const name of Object.keys(manifest.optionalDependencies)) expect([...listed.keys()]).not.toContain(name);
    },
  );

  test('refuses what is no service', async () => {
    expect(await sbom('dashboard')).toMatchObject({ code: 2, output: expect.stringContaining('usage') });
  });
});
