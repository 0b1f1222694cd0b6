// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../lib/home.mjs';
import { PROGRAMS, SERVICES } from '../lib/services.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(ROOT, file), 'utf8');
const { on: events, jobs, permissions } = parse(read('.github/workflows/ci.yaml'));
const commandsOf = (/** @type {string} */ job) =>
  jobs[job].steps.flatMap((/** @type {{ run?: string }} */ { run }) => run ?? []);

const BUILD = { context: '.', file: 'docker/Dockerfile', platforms: 'linux/amd64,linux/arm64' };
/** @typedef {{ uses?: string, with: Record<string, any> }} Step */
const buildOf = (/** @type {string} */ job) =>
  jobs[job].steps.find((/** @type {Step} */ { uses }) => uses?.startsWith('docker/build-push-action@'));
const argumentsOf = (/** @type {string} */ job) =>
  Object.fromEntries(
    String(buildOf(job).with['build-args'])
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );

const tagOfCompose = String(/^SWITCHBOARD_TAG=(.*)$/m.exec(read('docker/env.example'))?.[1]);
const imagesOf = (/** @type {string} */ overlay) => parse(read(`k8s/overlays/${overlay}/kustomization.yaml`)).images;

describe('CI workflow', () => {
  test('checks a change only by .ci/run', () => {
    expect(commandsOf('check')).toEqual(['bash .ci/run']);
    expect(read('.ci/run')).toMatch(/^exec npm test -- --also core-proofs$/m);
  });

  test('runs all proofs for pull requests, releases and nightly', () => {
    expect(commandsOf('proofs')).toEqual([
      'npm test -- --only proofs',
      'npm run chaos -- all --short',
      'npm run chaos -- broker-cluster',
    ]);
    expect(jobs.proofs.if).toBe("${{ github.event_name != 'push' || github.ref_type == 'tag' }}");
    expect(events.schedule).toHaveLength(1);
    for (const job of ['check', 'client', 'image']) expect(jobs[job].if).toContain("github.event_name != 'schedule'");
    for (const job of ['affected', 'publish']) expect(jobs[job].if).not.toContain('schedule');
  });

  test('tests the projects affected by a pull request with both compilers', () => {
    expect(jobs.affected.if).toContain("github.event_name == 'pull_request'");
    expect(commandsOf('affected')).toEqual([
      'npm ci --ignore-scripts',
      'npx nx affected -t lint typecheck test --base="origin/$BASE"',
      'npx nx run-many -t generate',
      'npx tsc',
    ]);
  });

  test('tests the oldest supported Node and the packaged one', () => {
    const { engines, optionalDependencies } = JSON.parse(read('package.json'));
    const [, oldest] = /(\d+\.\d+)/.exec(engines.node) ?? [];
    const [, image] = /^ARG NODE_IMAGE=.*node:(\d+)[.-]/m.exec(read('docker/Dockerfile')) ?? [];
    for (const arch of ['x64', 'arm64'])
      expect(optionalDependencies[`node-linux-${arch}`]).toMatch(new RegExp(`^${image}\\.`));
    expect(jobs.check.strategy.matrix.node).toEqual([oldest, image]);
    expect(commandsOf('client')).toEqual([`npm test -- --node ${oldest} --only integration libs/client/test`]);
    for (const job of ['proofs', 'publish']) expect(jobs[job].steps[1].with['node-version']).toBe(image);
  });

  test('builds every image for both processors before a merge', () => {
    expect([...jobs.image.strategy.matrix.service].sort()).toEqual([...PROGRAMS].sort());
    expect(buildOf('image').with).toMatchObject({ ...BUILD, outputs: 'type=cacheonly' });
    expect(argumentsOf('image')).toEqual({ SERVICE: '${{ matrix.service }}', REVISION: '${{ github.sha }}' });
  });

  test('publishes an image only after checks and proofs', () => {
    expect(jobs.publish.needs).toEqual(['check', 'proofs']);
  });

  test('signs images before tagging them, with provenance and SBOM', () => {
    expect(buildOf('publish').with).toMatchObject({ ...BUILD, provenance: 'mode=max', sbom: true });
    expect(buildOf('publish').with.outputs).toMatch(/^type=image,name=.*,push-by-digest=true,.*push=true$/);
    expect(Object.keys(argumentsOf('publish'))).toEqual(['SERVICE', 'VERSION', 'REVISION']);
    const [sign, tag] = String(commandsOf('publish').at(-1)).split('\n');
    expect(sign).toBe('cosign sign --yes "$IMAGE@$DIGEST"');
    expect(tag).toBe('docker buildx imagetools create --tag "$IMAGE:$VERSION" "$IMAGE@$DIGEST"');
  });

  test('grants write and signing permissions only to the publishing job', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    expect(more.map(([name, job]) => [name, job.permissions])).toEqual([
      ['publish', { contents: 'read', packages: 'write', 'id-token': 'write' }],
    ]);
  });

  test('pins every action by commit with a version comment', () => {
    const folder = '.github/workflows';
    const used = readdirSync(join(ROOT, folder)).flatMap((name) => [
      ...read(join(folder, name)).matchAll(/^\s*(?:- )?uses: (.*)$/gm),
    ]);
    expect(used.length).toBeGreaterThan(0);
    for (const [, action] of used) expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  describe('image names of a tag', () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-workflow-'));
    const output = join(folder, 'output');
    afterAll(() => rmSync(folder, { recursive: true }));

    /** Runs the step against a registry that has no image yet. */
    function namesOf(/** @type {string} */ service, /** @type {string} */ version) {
      writeFileSync(join(folder, 'docker'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      writeFileSync(output, '');
      const { pattern } = JSON.parse(read('nx.json')).release.releaseTag;
      const TAG = pattern.replace('{projectName}', service).replace('{version}', version);
      const PATH = `${folder}:${process.env['PATH']}`;
      const env = { PATH, TAG, REGISTRY: 'ghcr.io/Owner/repo', GITHUB_OUTPUT: output };
      const [script] = commandsOf('publish');
      const { status, stdout } = spawnSync('bash', ['-e', '-c', script], { cwd: ROOT, env, encoding: 'utf8' });
      return { status, stdout, names: readFileSync(output, 'utf8') };
    }

    test('contain the service, its version and its image', () => {
      const { version } = JSON.parse(read('apps/messaging/package.json'));
      expect(namesOf('messaging', version)).toMatchObject({
        status: 0,
        names: `service=messaging\nversion=${version}\nimage=ghcr.io/owner/repo/messaging\n`,
      });
    });

    test.each(SERVICES)('match those in Compose and production for %s', (service) => {
      const { version } = JSON.parse(read(`apps/${service}/package.json`));
      const { names } = namesOf(service, version);
      const [, published = ''] = /^image=(.*)$/m.exec(names) ?? [];
      /** @type {Record<string, string>} */
      const settings = { SWITCHBOARD_IMAGES: 'ghcr.io/owner/repo', SWITCHBOARD_TAG: tagOfCompose };
      const compose = parse(read('docker/compose.yaml'), { merge: true }).services[service].image;
      const pulled = compose.replace(
        /\$\{(\w+)[^}]*\}/g,
        (/** @type {string} */ _, /** @type {string} */ name) => settings[name],
      );
      expect(pulled).toBe(`${published}:${tagOfCompose}`);
      const { newName, newTag } = imagesOf('production').find(
        (/** @type {{ name: string }} */ { name }) => name === `switchboard/${service}`,
      );
      expect([newName.split('/').at(-1), newTag]).toEqual([published.split('/').at(-1), version]);
    });

    test('share one version in Compose and base manifests after a full release', () => {
      const base = parse(read('k8s/base/kustomization.yaml')).images;
      expect(base).toEqual(SERVICES.map((service) => ({ name: `switchboard/${service}`, newTag: tagOfCompose })));
      expect(imagesOf('dev')).toEqual([{ name: 'switchboard/simulator', newTag: tagOfCompose }]);
      expect(tagOfCompose).toBe(JSON.parse(read('package.json')).version);
    });

    test('are rejected when package.json has another version', () => {
      const outcome = namesOf('messaging', '99.0.0');
      expect(outcome).toMatchObject({ status: 1, names: '' });
      expect(outcome.stdout).toContain('apps/messaging/package.json has version');
    });
  });
});

describe('CODEOWNERS', () => {
  const rules = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(/\s+/));

  test('refers to existing folders and teams', () => {
    for (const [path = '', ...owners] of rules) {
      expect([path, path === '*' || existsSync(join(ROOT, path))]).toEqual([path, true]);
      expect(owners.length).toBeGreaterThan(0);
      for (const owner of owners) expect(owner).toMatch(/^@switchboard\/[a-z]+$/);
    }
  });

  test.each(SERVICES)('assigns the code of %s, its contracts and manifests to its team', (service) => {
    for (const folder of [`/apps/${service}/`, `/libs/contracts/src/${service}/`, `/k8s/base/services/${service}/`])
      expect(rules.find(([path]) => path === folder)).toContain(`@switchboard/${service}`);
  });
});
