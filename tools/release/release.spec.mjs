// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../lib/home.mjs';
import { run } from '../lib/run.mjs';
import { SERVICES } from '../lib/services.mjs';

const OVERLAY = 'k8s/overlays/production/kustomization.yaml';
const nx = (/** @type {string[]} */ args) =>
  run(join(ROOT, 'node_modules/.bin/nx'), args, {
    cwd: ROOT,
    env: { ...process.env, NX_DAEMON: 'false', NO_COLOR: '1', CI: 'true' },
  });

describe('A release', () => {
  test('is needed for the service that changed, and for no other', async () => {
    const { output } = await nx([
      'show',
      'projects',
      '--affected',
      '--files=apps/otp/src/main.ts',
      '--projects=tag:type:app',
      '--json',
    ]);
    const affected = JSON.parse(output);
    expect(SERVICES.filter((service) => affected.includes(service))).toEqual(['otp']);
  });

  test('is needed for all services when what they share has changed', async () => {
    const { output } = await nx([
      'show',
      'projects',
      '--affected',
      '--files=libs/broker/src/broker.ts',
      '--projects=tag:type:app',
      '--json',
    ]);
    expect(JSON.parse(output)).toEqual(expect.arrayContaining([...SERVICES]));
  });

  test('of one service changes the tag of its image, and neither another version nor another file', async () => {
    const before = readFileSync(join(ROOT, OVERLAY), 'utf8');
    const { code, output } = await nx(['release', 'version', '7.8.9', '--projects=messaging', '--dry-run']);
    expect([code, output]).toEqual([0, expect.stringContaining('tag 7.8.9')]);
    const changed = [...output.matchAll(/^(?:UPDATE|CREATE|DELETE) (\S+)/gm)].map(([, file]) => file);
    expect(changed).toEqual([OVERLAY]);
    const lines = output.split('\n').filter((line) => /^\s*[+-]\s+- \{name: switchboard\//.test(line));
    expect(lines.map((line) => line.trim())).toEqual([
      expect.stringMatching(/^- +- \{name: switchboard\/messaging, .*newTag: (?!7\.8\.9)[^}]+\}$/),
      expect.stringMatching(/^\+ +- \{name: switchboard\/messaging, .*newTag: 7\.8\.9\}$/),
    ]);
    for (const service of SERVICES.filter((name) => name !== 'messaging')) expect(output).not.toContain(`${service}@`);
    expect(readFileSync(join(ROOT, OVERLAY), 'utf8')).toBe(before);
  });

  test('knows the image of every service', () => {
    const { images } = parse(readFileSync(join(ROOT, OVERLAY), 'utf8'));
    expect(images.map((/** @type {{ name: string }} */ { name }) => name)).toEqual(
      SERVICES.map((service) => `switchboard/${service}`),
    );
    const { release } = JSON.parse(readFileSync(join(ROOT, 'nx.json'), 'utf8'));
    expect(release.projects).toEqual([...SERVICES]);
  });
});
