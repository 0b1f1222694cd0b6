import { execFile, execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { TEST_ENCRYPTION_KEY } from '@switchboard/testing';

const ROOT = resolve(import.meta.dirname, '../../../..');
/** Maximum duration of the command in milliseconds after its process has started, which takes a second of CPU time. */
const GUARANTEED_MS = 9_000;

interface Finding {
  check: string;
  state: string;
  finding: string;
  advice: string;
}

export interface Diagnosis {
  exitCode: number;
  /** Duration of the process in milliseconds. */
  ms: number;
  findings: Record<string, Finding>;
  problems: string[];
}

/** Runs `ops doctor` in its own process, so that a test notices if something keeps the process from exiting. */
export class Doctor {
  private readonly program: string;

  /** @param name name of the bundle's folder, since other tests build concurrently */
  constructor(name: string) {
    const folder = resolve(ROOT, 'dist', name, 'gateway');
    execFileSync(process.execPath, ['tools/bundle.mjs', 'apps/gateway', folder, 'ops-commands'], { cwd: ROOT });
    this.program = join(folder, 'ops-commands.mjs');
  }

  run(settings: Record<string, string>): Promise<Diagnosis> {
    const env = { PATH: process.env['PATH'], ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, ...settings };
    const startedAt = performance.now();
    return new Promise((done, fail) => {
      execFile(process.execPath, [this.program, 'doctor', '--json'], { env }, (error, out, err) => {
        const ms = performance.now() - startedAt;
        const exitCode = error ? Number(error.code ?? 1) : 0;
        try {
          const { findings } = JSON.parse(exitCode === 0 ? out : err) as { findings: Finding[] };
          const problems = findings.filter(({ state }) => state === 'problem').map(({ check }) => check);
          done({ exitCode, ms, problems, findings: Object.fromEntries(findings.map((one) => [one.check, one])) });
        } catch (cause) {
          fail(new Error(`doctor printed ${out}${err}`, { cause }));
        }
      });
    });
  }

  /** Runs `ops doctor` and checks that it exits in time. */
  async runInTime(settings: Record<string, string>): Promise<Diagnosis> {
    const diagnosis = await this.run(settings);
    // Measures the start alone, which takes several seconds on a busy machine. Without settings, nothing else happens.
    const { ms: startMs } = await this.run({});
    expect(diagnosis.ms).toBeLessThan(startMs + GUARANTEED_MS);
    return diagnosis;
  }
}
