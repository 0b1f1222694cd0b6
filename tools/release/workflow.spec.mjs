// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../lib/home.mjs';
import { PROGRAMS, SERVICES } from '../lib/services.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(ROOT, file), 'utf8');
const { jobs } = parse(read('.github/workflows/ci.yaml'));
const commandsOf = (/** @type {string} */ job) =>
  jobs[job].steps.flatMap((/** @type {{ run?: string }} */ { run }) => run ?? []);

describe('The workflow', () => {
  test('judges a change by what .ci/run does, and by nothing else', () => {
    expect(commandsOf('check')).toEqual(['bash .ci/run']);
    expect(read('.ci/run')).toMatch(/^exec npm test$/m);
  });

  test('starts under the oldest Node that the tools take and under that of the images, which the packages bring', () => {
    const { engines, optionalDependencies } = JSON.parse(read('package.json'));
    const [, oldest] = /(\d+\.\d+)/.exec(engines.node) ?? [];
    const [, image] = /^ARG NODE_IMAGE=.*node:(\d+)-/m.exec(read('docker/Dockerfile')) ?? [];
    for (const arch of ['x64', 'arm64'])
      expect(optionalDependencies[`node-linux-${arch}`]).toMatch(new RegExp(`^${image}\\.`));
    expect(jobs.check.strategy.matrix.node).toEqual([oldest, image]);
    expect(commandsOf('client')).toEqual([`npm test -- --node ${oldest} --only integration libs/client/test`]);
    for (const job of ['proofs', 'publish']) expect(jobs[job].steps[1].with['node-version']).toBe(image);
  });

  test('builds the image of every program, with its revision, and publishes one after the checks and the longer proofs', () => {
    expect([...jobs.image.strategy.matrix.service].sort()).toEqual([...PROGRAMS].sort());
    for (const job of ['image', 'publish'])
      expect(commandsOf(job).join('\n')).toMatch(/docker build -f docker\/Dockerfile[^]*--build-arg REVISION=/);
    expect(jobs.publish.needs).toEqual(['check', 'proofs']);
    expect(commandsOf('proofs')).toEqual(['npm test -- --only proofs', 'npm run faults -- all --short']);
  });

  test('takes apart a tag of nx release: the service and its version', () => {
    const { pattern } = JSON.parse(read('nx.json')).release.releaseTag;
    const tag = pattern.replace('{projectName}', 'messaging').replace('{version}', '0.2.0');
    const parts = execFileSync('bash', ['-c', 'echo "${TAG%@*} ${TAG#*@}"'], { env: { TAG: tag } });
    expect(parts.toString().trim()).toBe('messaging 0.2.0');
    expect(commandsOf('publish').join('\n')).toContain('service="${TAG%@*}" version="${TAG#*@}"');
  });
});

describe('CODEOWNERS', () => {
  const rules = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(/\s+/));

  test('names folders that exist, and teams', () => {
    for (const [path = '', ...owners] of rules) {
      expect([path, path === '*' || existsSync(join(ROOT, path))]).toEqual([path, true]);
      expect(owners.length).toBeGreaterThan(0);
      for (const owner of owners) expect(owner).toMatch(/^@switchboard\/[a-z]+$/);
    }
  });

  test.each(SERVICES)('gives the code of %s, its contracts and its manifests to its team', (service) => {
    for (const folder of [`/apps/${service}/`, `/libs/contracts/src/${service}/`, `/k8s/base/services/${service}/`])
      expect(rules.find(([path]) => path === folder)).toContain(`@switchboard/${service}`);
  });
});
