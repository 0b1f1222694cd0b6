import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVICES } from '@switchboard/contracts';
import { parse } from 'yaml';
import help from '../apps/gateway/src/cli/help.json';
import { ROOT } from '../k8s/testing/paths';
import { ensureCaddy } from '../tools/infra/caddy.mjs';
import { ensureDockerCompose } from '../tools/infra/docker-compose.mjs';
import { ensureProgram, ensurePromtool } from '../tools/infra/promtool.mjs';
import { shellBlocks } from '../tools/lib/shell-blocks.mjs';
import type { ComposeFile } from './testing/compose';

const run = promisify(execFile);
const log = (text: string): void => void process.stderr.write(`${text}\n`);
const DOCKER = join(ROOT, 'docker');

/** Script that records its name and arguments. */
const WRITES_DOWN = '#!/bin/sh\nprintf \'%s %s\\n\' "${0##*/}" "$*" >>"$SEEN"\n';

describe('docs/operations/one-server.md', () => {
  const page = readFileSync(join(ROOT, 'docs/operations/one-server.md'), 'utf8');
  const blocks = shellBlocks(page);
  let folder: string;
  let installation: string;
  let env: Record<string, string>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-server-'));
    installation = join(folder, 'opt');
    for (const name of ['bin', 'etc/cron.d', 'opt/docker/backups/20261127T031500Z'])
      mkdirSync(join(folder, name), { recursive: true });
    cpSync(DOCKER, join(installation, 'docker'), {
      recursive: true,
      filter: (path) => !/\/(\.env|backups)$/.test(path),
    });
    for (const program of ['docker', 'git']) writeFileSync(join(folder, 'bin', program), WRITES_DOWN, { mode: 0o755 });
    for (const script of ['backup.sh', 'restore.sh'])
      writeFileSync(join(installation, 'docker', script), WRITES_DOWN, { mode: 0o755 });
    env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, SEEN: join(folder, 'seen') };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('lists commands from installation to rollback that work when pasted', async () => {
    const commands = blocks.join('').replaceAll('/opt/switchboard', installation).replaceAll('/etc/', `${folder}/etc/`);
    await run('bash', ['-euo', 'pipefail', '-c', commands], { env });
    const seen = readFileSync(join(folder, 'seen'), 'utf8').trim().split('\n');
    const start = 'docker compose up -d --no-build --wait';
    const doctor = 'docker compose run --rm operator doctor';
    const [version = '', next = ''] = [
      ...page.matchAll(/git (?:clone --branch|fetch --tags && git checkout) gateway@(\S+)/g),
    ].map(([, found = '']) => found);
    expect(seen).toEqual([
      expect.stringMatching(`^git clone --branch gateway@${version} https://\\S+ ${installation}$`),
      'docker compose build',
      start,
      doctor,
      'docker compose run --rm operator setup',
      expect.stringMatching(/^docker compose run --rm -T( -e [A-Z_]+){3} operator setup .* --json$/),
      'backup.sh ',
      'restore.sh docker/backups/20261127T031500Z',
      `${start} alertmanager`,
      expect.stringMatching(/^docker compose exec alertmanager amtool check-config \S+\/alertmanager\.yaml$/),
      expect.stringMatching(/^docker compose exec alertmanager amtool .* alert add alertname=Test severity=warning$/),
      expect.stringMatching(/^docker compose exec postgres psql -U postgres switchboard -c SELECT /),
      'backup.sh ',
      'git fetch --tags',
      `git checkout gateway@${next}`,
      'docker compose build',
      start,
      doctor,
      `git checkout gateway@${version}`,
      start,
    ]);
    const setup = seen.find((call) => call.includes('--json')) ?? '';
    expect(setup).not.toMatch(/your-token|482913|your-verify-token/);
    for (const [option] of setup.slice(setup.indexOf('operator setup')).matchAll(/--[a-z-]+/g))
      expect(help.setup).toMatch(new RegExp(`${option}( <|\\s)`));
    expect(readFileSync(join(folder, 'etc/cron.d/switchboard-backup'), 'utf8')).toBe(
      `15 3 * * * root ${installation}/docker/backup.sh\n`,
    );
    expect(version).toBe(/^SWITCHBOARD_TAG=(.*)$/m.exec(readFileSync(join(DOCKER, 'env.example'), 'utf8'))?.[1]);
    const settings = readFileSync(join(installation, 'docker/.env'), 'utf8');
    for (const line of [
      'PUBLIC_BASE_URL=https://sb.example.com',
      'COMPOSE_PROFILES=tls,monitoring',
      'UPSTREAM_BASE_URL=https://graph.facebook.com',
      `SWITCHBOARD_TAG=${version}`,
      `ALERTMANAGER_CONFIG=${folder}/etc/switchboard/alertmanager.yaml`,
    ])
      expect(settings.split('\n')).toContain(line);
  });

  it('produces settings and files that Docker Compose accepts', async () => {
    const program = await ensureDockerCompose({ log });
    const { stdout } = await run(program, ['config', '--format', 'json'], {
      cwd: installation,
      env: { PATH: String(process.env['PATH']), COMPOSE_FILE: 'docker/compose.yaml' },
    });
    const { services } = JSON.parse(stdout) as ComposeFile;
    expect(Object.keys(services)).toEqual(expect.arrayContaining([...SERVICES, 'caddy', 'prometheus', 'alertmanager']));
    expect(Object.keys(services)).not.toContain('simulator');
    expect(services['caddy']?.environment).toEqual({ PUBLIC_BASE_URL: 'https://sb.example.com' });
    expect(services['caddy']?.command?.at(-1)).toMatch(/^PUBLIC_BASE_URL="\$\$\{PUBLIC_BASE_URL%\/\}" exec caddy run /);
    expect(services['messaging']?.environment).toMatchObject({ UPSTREAM_BASE_URL: 'https://graph.facebook.com' });
    for (const [name, { logging }] of Object.entries(services))
      expect([name, logging?.options['max-size']]).toEqual([name, '20m']);
  }, 600_000);
});

describe('docker/monitoring', () => {
  const config = readFileSync(join(DOCKER, 'monitoring/prometheus.yaml'), 'utf8');
  const { scrape_configs: jobs, rule_files: rules } = parse(config) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[]; labels: object }[] }[];
    rule_files: string[];
  };

  it('has a configuration that Prometheus accepts, with all its rules', async () => {
    const promtool = await ensurePromtool({ log });
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-prometheus-'));
    try {
      cpSync(join(DOCKER, 'monitoring/prometheus.yaml'), join(folder, 'prometheus.yaml'));
      symlinkSync(join(ROOT, 'observability/rules'), join(folder, 'rules'));
      const { stdout } = await run(promtool, ['check', 'config', join(folder, 'prometheus.yaml')]);
      expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const files = readdirSync(join(ROOT, 'observability/rules')).filter((name) => name !== 'rules.test.yaml');
    expect([...rules].sort()).toEqual(files.map((name) => `rules/${name}`).sort());
  }, 300_000);

  it('scrapes each service and RabbitMQ under the expected job', () => {
    expect(jobs.map(({ job_name, static_configs }) => [job_name, static_configs[0]?.targets])).toEqual([
      ...SERVICES.map((service) => [service, [`${service}:3010`]]),
      ['rabbitmq', ['rabbitmq:15692']],
      ['rabbitmq-detailed', ['rabbitmq:15692']],
    ]);
    for (const { static_configs } of jobs) expect(static_configs[0]?.labels).toEqual({ namespace: 'switchboard' });
  });

  it('has a configuration and example receivers that Alertmanager accepts', async () => {
    const amtool = await ensureProgram('prometheus-alertmanager', { log, program: 'amtool', size: '12 MB' });
    const file = join(DOCKER, 'monitoring/alertmanager.yaml');
    await run(amtool, ['check-config', file]);
    const text = readFileSync(file, 'utf8');
    const example = [...text.matchAll(/^# {3}(.*)$/gm)].map(([, line = '']) => `${line}\n`).join('');
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-alertmanager-'));
    try {
      writeFileSync(join(folder, 'filled.yaml'), text.replace(/^receivers:\n[^]*/m, example));
      await run(amtool, ['check-config', join(folder, 'filled.yaml')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 300_000);
});

describe('docker/Caddyfile', () => {
  it('is valid, even with a trailing slash in the URL', async () => {
    const caddy = await ensureCaddy({ log });
    const { services } = parse(readFileSync(join(DOCKER, 'compose.yaml'), 'utf8'), { merge: true }) as ComposeFile;
    const command = String(services['caddy']?.command?.at(-1)).replaceAll('$$', '$');
    const adapt = command.replace('exec caddy run --config /etc/caddy/', `exec ${caddy} adapt --config ${DOCKER}/`);
    for (const PUBLIC_BASE_URL of ['https://sb.example.com', 'https://sb.example.com/']) {
      const { stdout } = await run('sh', ['-c', adapt], { env: { HOME: tmpdir(), PUBLIC_BASE_URL } });
      const { routes } = JSON.parse(stdout).apps.http.servers.srv0 as { routes: { match: object[] }[] };
      expect(routes.map(({ match }) => match)).toEqual([[{ host: ['sb.example.com'] }]]);
    }
    await run(caddy, ['validate', '--config', join(DOCKER, 'Caddyfile'), '--adapter', 'caddyfile'], {
      env: { HOME: tmpdir(), PUBLIC_BASE_URL: 'https://sb.example.com' },
    });
  }, 300_000);
});
