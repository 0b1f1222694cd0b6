// @ts-check
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { unlessGone } from '../lib/json-file.mjs';
import { makeFolder, privately } from '../lib/private-files.mjs';
import { lastLines } from '../lib/run.mjs';
import { eventually } from '../lib/wait.mjs';
import { ensureProgram } from './promtool.mjs';

/**
 * @typedef {object} Alert an alert as Prometheus returns it
 * @property {Record<string, string>} labels `alertname` and the labels of the rule
 * @property {Record<string, string>} annotations
 * @property {'pending' | 'firing'} state
 */
/**
 * @typedef {object} PrivatePrometheus
 * @property {() => Promise<Alert[]>} alerts pending and firing alerts
 * @property {(expression: string) => Promise<{ metric: Record<string, string>, value: [number, string] }[]>} query
 * @property {(expression: string) => Promise<{ seriesLabels: Record<string, string>, exemplars: { labels:
 * Record<string, string>, value: string }[] }[]>} exemplars exemplars of the last five minutes
 * @property {() => Promise<void>} stop
 */

const START_TIMEOUT_MS = 30_000;

/**
 * Starts a private Prometheus on 127.0.0.1, which scrapes every second and discards its data when it stops.
 * @param {{ dir: string, port: number, rules: Record<string, string>, targets: { job: string, address: string }[], log:
 * (text: string) => void }} options `rules`: contents of rule files by name; `targets`: addresses to scrape, all of one
 * installation, with `job` as the service
 * @returns {Promise<PrivatePrometheus>}
 */
export async function startPrometheus({ dir, port, rules, targets, log }) {
  const program = await ensureProgram('prometheus', { log, program: 'prometheus', size: '35 MB' });
  rmSync(dir, { recursive: true, force: true });
  makeFolder(dir);
  for (const [name, text] of Object.entries(rules)) writeFileSync(join(dir, name), text);
  const jobs = [...new Set(targets.map(({ job }) => job))];
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: Object.keys(rules),
    scrape_configs: jobs.map((job) => ({
      job_name: job,
      static_configs: [
        {
          targets: targets.filter((target) => target.job === job).map(({ address }) => address),
          labels: { namespace: 'faults' },
        },
      ],
    })),
  };
  writeFileSync(join(dir, 'prometheus.yml'), stringify(config));
  const url = `http://127.0.0.1:${port}`;
  const args = [
    `--config.file=${join(dir, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--enable-feature=exemplar-storage',
    '--log.level=warn',
  ];
  const stop = await keep({ program, args, dir, name: 'prometheus', readyUrl: `${url}/-/ready` });
  const ask = async (/** @type {string} */ path) => {
    const answer = await fetch(`${url}/api/v1/${path}`);
    if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}: ${await answer.text()}`);
    return /** @type {{ data: any }} */ (await answer.json()).data;
  };
  return {
    alerts: async () => (await ask('alerts')).alerts,
    query: async (expression) => (await ask(`query?query=${encodeURIComponent(expression)}`)).result,
    exemplars: async (expression) => {
      const now = Date.now() / 1_000;
      return ask(`query_exemplars?query=${encodeURIComponent(expression)}&start=${now - 300}&end=${now}`);
    },
    stop,
  };
}

/**
 * Starts an exporter for the metrics of a PostgreSQL server.
 * @param {{ dir: string, port: number, databaseUrl: string, log: (text: string) => void }} options
 * @returns {Promise<() => Promise<void>>} stops it
 */
export async function startPostgresExporter({ dir, port, databaseUrl, log }) {
  const program = await ensureProgram('prometheus-postgres-exporter', {
    log,
    program: 'prometheus-postgres-exporter',
    size: '4 MB',
  });
  makeFolder(dir);
  const env = { ...process.env, DATA_SOURCE_NAME: `${databaseUrl}?sslmode=disable` };
  const args = [`--web.listen-address=127.0.0.1:${port}`, '--log.level=error'];
  return keep({ program, args, dir, name: 'postgres-exporter', readyUrl: `http://127.0.0.1:${port}/`, env });
}

/**
 * @param {{ program: string, args: string[], dir: string, name: string, readyUrl: string, env?: NodeJS.ProcessEnv }}
 * options
 * @returns {Promise<() => Promise<void>>} stops it
 */
async function keep({ program, args, dir, name, readyUrl, env = process.env }) {
  const output = join(dir, `${name}.log`);
  const file = openSync(output, 'w', 0o600);
  const child = privately(() => spawn(program, args, { cwd: dir, env, stdio: ['ignore', file, file] }));
  closeSync(file);
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  process.once('exit', () => child.kill('SIGKILL'));
  const answers = () =>
    fetch(readyUrl).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(`${name} to answer`, async () => hasEnded() || (await answers()), { timeoutMs: START_TIMEOUT_MS });
  if (hasEnded())
    throw new Error(`${name} did not start:\n${lastLines(unlessGone(() => readFileSync(output, 'utf8')) ?? '', 15)}`);
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
