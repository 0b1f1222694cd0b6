// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';

test('a compile error ends the build and prints only its location', () => {
  const root = mkdtempSync(join(tmpdir(), 'switchboard-bundle-'));
  try {
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'tsconfig.json'), '{}');
    writeFileSync(join(root, 'src/main.ts'), 'export default {\n  b: 1 c: 2,\n};\n');
    const command = [join(ROOT, 'tools/bundle.mjs'), root, join(root, 'out'), 'main'];
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: ROOT });
    expect(status).toBe(1);
    expect(stderr).toContain(`${join(root, 'src/main.ts')}:2`);
    expect(stderr).toContain('b: 1 c: 2,');
    expect(stderr).not.toMatch(/Stack backtrace|^\s+at /m);
  } finally {
    rmSync(root, { recursive: true });
  }
});
