import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../k8s/testing/paths';
import { parseEnvFile, readDockerFile } from './testing/compose';

const run = promisify(execFile);
const SCRIPT = resolve(ROOT, 'docker/make-env.sh');

describe('make-env.sh', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-env-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('fills every empty secret with a unique value and keeps the rest', async () => {
    await run(SCRIPT, [folder]);
    const example = parseEnvFile(await readDockerFile('env.example'));
    const made = parseEnvFile(await readFile(join(folder, '.env'), 'utf8'));
    expect([...made.keys()]).toEqual([...example.keys()]);
    const secrets = [...made].filter(([name]) => example.get(name) === '').map(([, value]) => value);
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const [name, value] of example) if (value) expect(made.get(name)).toBe(value);
  });

  it('generates long, URL-safe secrets and a key of 32 bytes', async () => {
    await run(SCRIPT, [folder]);
    const made = parseEnvFile(await readFile(join(folder, '.env'), 'utf8'));
    expect(Buffer.from(made.get('ENCRYPTION_KEY') ?? '', 'base64')).toHaveLength(32);
    for (const [name, value] of made)
      if (/PASSWORD|PEPPER|SECRET|TOKEN/.test(name))
        expect([name, value]).toEqual([name, expect.stringMatching(/^[0-9a-f]{48}$/)]);
  });

  it('makes the file readable by its owner only', async () => {
    await run(SCRIPT, [folder]);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
  });

  it('reports a directory that does not exist', async () => {
    await expect(run(SCRIPT, [join(folder, 'nowhere')])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no folder'),
    });
  });

  it('leaves an existing file unchanged', async () => {
    await run(SCRIPT, [folder]);
    const before = await readFile(join(folder, '.env'), 'utf8');
    await expect(run(SCRIPT, [folder])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('left as it is'),
    });
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe(before);
  });
});
