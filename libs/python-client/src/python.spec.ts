import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '..');
/** Test vectors shared by the clients of all languages. */
const VECTORS = resolve(PROJECT, '../client/test/vectors.json');

describe('Python client', () => {
  beforeAll(async () => {
    await run('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).catch((cause) => {
      throw new Error('these tests need python3, 3.9 or later: install it', { cause });
    });
  });

  it.each(['test_rules', 'test_calls'])('passes the Python suite %s', async (name) => {
    expect(existsSync(resolve(PROJECT, 'test', `${name}.py`))).toBe(true);
    const env = { ...process.env, VECTORS, PYTHONPATH: resolve(PROJECT, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
    const { stderr } = await run('python3', ['-W', 'error::ResourceWarning', '-m', 'unittest', name], {
      cwd: resolve(PROJECT, 'test'),
      env,
    }).catch((error: Error & { stderr?: string }) => {
      throw new Error(error.stderr ?? error.message, { cause: error });
    });
    expect(stderr).toMatch(/^Ran [1-9]\d* tests? in/m);
    expect(stderr).toMatch(/^OK$/m);
  });
});
