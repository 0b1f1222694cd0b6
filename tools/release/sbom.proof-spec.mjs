// @ts-check
import { join } from 'node:path';
import { homePath, ROOT } from '../lib/home.mjs';
import { readJson } from '../lib/json-file.mjs';
import { run } from '../lib/run.mjs';

const sbom = (/** @type {string} */ service) =>
  run(process.execPath, [join(ROOT, 'tools/sbom.mjs'), service], { cwd: ROOT });

/**
 * Returns the packages of an SBOM as `name@version`, because an image may contain several versions of a package.
 * @returns {string[]}
 */
function listed(/** @type {string} */ service, /** @type {string} */ processor) {
  const { components } = readJson(join(ROOT, `dist/sbom/${service}-${processor}.cdx.json`));
  return components.map(
    (/** @type {{ group?: string, name: string, version: string }} */ { group, name, version }) =>
      `${group ? `${group}/` : ''}${name}@${version}`,
  );
}

const nameOf = (/** @type {string} */ text) => text.slice(0, text.lastIndexOf('@'));

describe('npm run sbom', () => {
  test('lists the packages of jobs at their locked versions', async () => {
    expect(await sbom('jobs')).toMatchObject({ code: 0 });
    expect(readJson(join(ROOT, 'dist/sbom/jobs-amd64.cdx.json'))).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: {
        component: {
          group: '@switchboard',
          name: 'jobs',
          version: readJson(join(ROOT, 'apps/jobs/package.json')).version,
        },
      },
    });
    const { dependencies } = readJson(join(homePath('sbom', 'jobs'), 'package.json'));
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['pg', 'amqplib', '@nestjs/core', 'yauzl']));
    const packages = listed('jobs', 'amd64');
    expect(packages).toEqual(
      expect.arrayContaining(Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)),
    );
    const locked = readJson(join(ROOT, 'package-lock.json')).packages;
    expect(packages).toContain(`pg-protocol@${locked['node_modules/pg-protocol'].version}`);
  });

  test('omits packages that the image does not contain', async () => {
    expect(await sbom('otp')).toMatchObject({ code: 0 });
    const manifest = readJson(join(ROOT, 'package.json'));
    const absent = ['jest', 'esbuild', 'typescript', 'exceljs', '@aws-sdk/client-s3', 'swagger-ui-dist'];
    const names = listed('otp', 'amd64').map(nameOf);
    for (const name of [...absent, ...Object.keys(manifest.optionalDependencies)]) expect(names).not.toContain(name);
  });

  test('lists the native packages of each processor', async () => {
    expect(await sbom('gateway')).toMatchObject({ code: 0 });
    const native = (/** @type {string} */ processor) =>
      listed('gateway', processor)
        .map(nameOf)
        .filter((name) => name.startsWith('@node-rs/argon2-'));
    expect([native('amd64'), native('arm64')]).toEqual([
      ['@node-rs/argon2-linux-x64-gnu'],
      ['@node-rs/argon2-linux-arm64-gnu'],
    ]);
  });

  test('rejects an unknown program', async () => {
    expect(await sbom('dashboard')).toMatchObject({ code: 2, output: expect.stringContaining('usage') });
  });
});
