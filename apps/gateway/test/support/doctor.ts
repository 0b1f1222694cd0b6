import { execFile, execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { TEST_ENCRYPTION_KEY } from '@switchboard/testing';

const ROOT = resolve(import.meta.dirname, '../../../..');
/** Maximum time of the command after its process has started, which takes a second of CPU. */
const GUARANTEED_MS = 9_000;

interface Finding {
  check: string;
  state: string;
  finding: string;
  advice: string;
}

export interface Diagnosis {
  exitCode: number;
  /** From the start of the process to its end, in milliseconds. */
  ms: number;
  /** By check. */
  findings: Record<string, Finding>;
  problems: string[];
}

/** `ops doctor` as a process of its own, so that a test notices what keeps a process from its end. */
export class Doctor {
  private readonly program: string;

  /** @param name of the folder of its bundle: other tests build theirs meanwhile */
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

  /** Runs it, and expects that it ends in time. */
  async runInTime(settings: Record<string, string>): Promise<Diagnosis> {
    const diagnosis = await this.run(settings);
    // Without settings it does nothing but start. A busy machine needs several seconds for that.
    const { ms: startMs } = await this.run({});
    expect(diagnosis.ms).toBeLessThan(startMs + GUARANTEED_MS);
    return diagnosis;
  }
}
