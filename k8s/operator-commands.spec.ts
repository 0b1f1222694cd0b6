import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ofKind, renderManifests } from './testing/manifests';
import { ROOT } from './testing/paths';
import type { Deployment } from 'kubernetes-types/apps/v1';
import type { Job } from 'kubernetes-types/batch/v1';
import { parseAllDocuments } from 'yaml';
import { kustomize } from './testing/kubectl';

const README = resolve(ROOT, 'k8s/README.md');

/** Fake kubectl that records its arguments and runs the command after `--`, as the pod would. */
const KUBECTL = `#!/bin/bash
printf '%s\\n' "$*" >> "$SEEN"
case " $* " in *" exec -i "*) ;; *) exec < /dev/null ;; esac
case " $* " in *" -- "*) ;; *) exit 0 ;; esac
while [ "$1" != -- ]; do shift; done
shift
exec env -u UPSTREAM_ACCESS_TOKEN -u UPSTREAM_NUMBER_PIN -u RABBITMQ_URL "$@"
`;
/** Fake node that replaces the operator's command. */
const NODE = `#!/bin/bash
printf '%s\\n' "$*" >> "$SEEN"
echo "$UPSTREAM_ACCESS_TOKEN $UPSTREAM_NUMBER_PIN $RABBITMQ_URL"
`;
const SECRETS = {
  UPSTREAM_ACCESS_TOKEN: 'EAAG\\secret|token',
  UPSTREAM_NUMBER_PIN: '482913',
  OPERATOR_URL: 'amqp://operator',
};

describe('commands of k8s/README.md', () => {
  let folder: string;
  let readme: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubectl-'));
    readme = await readFile(README, 'utf8');
    await writeFile(join(folder, 'kubectl'), KUBECTL, { mode: 0o755 });
    await writeFile(join(folder, 'node'), NODE, { mode: 0o755 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('pass secrets to the pod without using arguments', async () => {
    const block = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)]
      .map(([, text = '']) => text)
      .find((text) => /\| kubectl/.test(text));
    const SEEN = join(folder, 'seen');
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      SEEN,
      ...SECRETS,
      NS: 'switchboard',
      ACCOUNT_ID: 'acc_1',
      WABA_ID: '1',
      PHONE_NUMBER: '15550001111',
    };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block ?? 'false'], { env });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([`${SECRETS.UPSTREAM_ACCESS_TOKEN} ${SECRETS.UPSTREAM_NUMBER_PIN}`, SECRETS.OPERATOR_URL]);
    const seen = await readFile(SEEN, 'utf8');
    expect(seen).toContain('ops.mjs numbers connect --account acc_1 --waba-id 1 --phone-number 15550001111');
    expect(seen).toContain('ops.mjs dead-letters list');
    for (const secret of Object.values(SECRETS)) expect(seen).not.toContain(secret);
  });

  it('install data stores, migrations, services and a demo account in order', async () => {
    const block = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)]
      .map(([, text = '']) => text)
      .find((text) => text.includes('demo seed'));
    const SEEN = join(folder, 'seen-first');
    const env = { PATH: `${folder}:${process.env['PATH']}`, SEEN };
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block ?? 'false'], { env });
    const seen = (await readFile(SEEN, 'utf8')).trim().split('\n');
    expect(seen).toEqual([
      'apply -k k8s/overlays/dev -l app.kubernetes.io/component!=service',
      expect.stringMatching(/^-n switchboard-dev wait --for=condition=complete .*component=migration$/),
      'apply -k k8s/overlays/dev',
      expect.stringMatching(/^-n switchboard-dev rollout status deployment /),
      '-n switchboard-dev exec deploy/gateway -- node ops.mjs doctor',
      'ops.mjs doctor',
      expect.stringMatching(
        /exec deploy\/gateway -- env SIMULATOR_ACCESS_TOKEN=dev-only-access-token node ops.mjs demo seed$/,
      ),
      'ops.mjs demo seed',
    ]);
  });

  it('roll out the gateway after all other services', async () => {
    const selector = /^BEFORE_GATEWAY='(.*)'$/m.exec(readme)?.[1];
    expect(selector).toBe('app.kubernetes.io/component=service,app.kubernetes.io/name!=gateway');
    const labels = ofKind<Deployment>(await renderManifests('base'), 'Deployment').map(
      ({ metadata }) => metadata?.labels,
    );
    const isChosen = (of: Record<string, string> = {}): boolean =>
      of['app.kubernetes.io/component'] === 'service' && of['app.kubernetes.io/name'] !== 'gateway';
    expect(labels.filter(isChosen)).toHaveLength(5);
    expect(labels).toHaveLength(6);
    const { seen } = await run(blockWith('BEFORE_GATEWAY='), 'seen-roll-out');
    const [services, all] = [`apply -k k8s/overlays/dev -l ${selector}`, 'apply -k k8s/overlays/dev'].map((line) =>
      seen.indexOf(line),
    );
    expect(services).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(services ?? 0);
  });

  it.each(['k8s/README.md', 'docs/operations/release-one-service.md'])(
    'start no service after a failed migration of %s, even when pasted',
    async (file) => {
      const text = await readFile(resolve(ROOT, file), 'utf8');
      await writeFile(join(folder, 'kubectl'), KUBECTL.replace('exit 0', '[ "$3" != wait ]; exit'), { mode: 0o755 });
      const { seen } = await run(blockWith('--for=condition=complete', text, 'set -e'), 'seen-failed', '-c');
      await writeFile(join(folder, 'kubectl'), KUBECTL, { mode: 0o755 });
      expect(seen.at(-1)).toContain('wait --for=condition=complete');
    },
  );

  /** Returns the first code block that contains all these texts. */
  function blockWith(text: string, page = readme, other = ''): string {
    const blocks = [...page.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, lines = '']) => lines);
    return blocks.find((lines) => lines.includes(text) && lines.includes(other)) ?? 'false';
  }

  /** Runs commands with the fake kubectl and returns the recorded arguments. */
  async function run(block: string, name: string, ...options: string[]): Promise<{ seen: string[] }> {
    const SEEN = join(folder, name);
    await rm(SEEN, { force: true });
    const env = { PATH: `${folder}:${process.env['PATH']}`, SEEN };
    const shell = options.length > 0 ? options : ['-euo', 'pipefail', '-c'];
    await promisify(execFile)('bash', [...shell, block], { env }).catch(() => undefined);
    return { seen: (await readFile(SEEN, 'utf8')).trim().split('\n') };
  }

  it('change a single service in a release', async () => {
    const text = await readFile(resolve(ROOT, 'docs/operations/release-one-service.md'), 'utf8');
    const block = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)]
      .map(([, lines = '']) => lines)
      .find((lines) => lines.includes('kubectl apply'));
    const SEEN = join(folder, 'seen-release');
    const env = { PATH: `${folder}:${process.env['PATH']}`, SEEN };
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block ?? 'false'], { env });
    const seen = (await readFile(SEEN, 'utf8')).trim().split('\n');
    const [deleted, before, waited, service, rollOut] = seen;
    const migration = 'switchboard/service=messaging,app.kubernetes.io/component=migration';
    expect([deleted, waited]).toEqual([expect.stringContaining(migration), expect.stringContaining(migration)]);
    expect(before).toContain('switchboard/service in (messaging,shared),app.kubernetes.io/component!=service');
    expect(service).toBe('apply -k k8s/overlays/production -l switchboard/service=messaging');
    expect(rollOut).toContain('rollout status deployment messaging');
    const chosen = (await renderManifests('overlays/production')).filter(
      ({ metadata }) => metadata.labels?.['switchboard/service'] === 'messaging',
    );
    expect(
      chosen.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)).map(({ metadata }) => metadata.name),
    ).toEqual(['messaging', 'migrate-messaging']);
  });

  it('replace only the cluster in a point-in-time restore', async () => {
    const text = await readFile(resolve(ROOT, 'docs/operations/backup-restore.md'), 'utf8');
    const { seen } = await run(blockWith('delete cluster', text), 'seen-cluster', '-c');
    const cluster = 'cluster.postgresql.cnpg.io';
    expect(seen).toEqual([
      expect.stringContaining(`delete ${cluster} postgres`),
      'apply -k k8s/overlays/production-restore -l switchboard/restore=database',
      expect.stringContaining(`wait --for=condition=Ready --timeout=2h ${cluster}/postgres`),
    ]);
    const chosen = (await renderManifests('overlays/production-restore')).filter(
      ({ metadata }) => metadata.labels?.['switchboard/restore'] === 'database',
    );
    expect(chosen.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['Cluster postgres']);
  });

  it('republish from every migration in a restore, then delete the Jobs', async () => {
    const text = await readFile(resolve(ROOT, 'docs/operations/backup-restore.md'), 'utf8');
    const block = [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)]
      .map(([, lines = '']) => lines)
      .find((lines) => lines.includes('--republish'));
    const rendered = join(folder, 'rendered.yaml');
    const applied = join(folder, 'applied.yaml');
    await writeFile(rendered, await kustomize(resolve(ROOT, 'k8s/overlays/production')));
    const kubectl = `case "$1" in kustomize) cat '${rendered}'; exit ;; apply) cat > '${applied}'; exit ;; esac\nexit 0\n`;
    await writeFile(join(folder, 'kubectl'), KUBECTL.replace(/^case[^]*/m, kubectl), { mode: 0o755 });
    const { seen } = await run(block ?? 'false', 'seen-restore', '-c');
    await writeFile(join(folder, 'kubectl'), KUBECTL, { mode: 0o755 });
    const jobs = '-l app.kubernetes.io/component=migration';
    // Both ends of the pipe start concurrently, in any order.
    expect([seen[0], ...seen.slice(1, 3).sort(), ...seen.slice(3)]).toEqual(
      [
        `delete job ${jobs}`,
        `apply ${jobs} -f -`,
        'kustomize',
        `wait --for=condition=complete --timeout=10m job ${jobs}`,
        `delete job ${jobs}`,
      ].map((line) => expect.stringContaining(line) as string),
    );
    const migrations = parseAllDocuments(await readFile(applied, 'utf8'))
      .map((document) => document.toJS() as Job)
      .filter(({ metadata }) => metadata?.labels?.['app.kubernetes.io/component'] === 'migration');
    // Includes the broker set-up, which remains unchanged.
    const commands = migrations.map(({ spec }) => spec?.template.spec?.containers[0]?.command?.slice(2).join(' '));
    expect(commands.sort()).toEqual([
      ...Array.from({ length: 6 }, () => 'migrate.mjs --republish'),
      'prepare-broker.mjs',
    ]);
  });
});
