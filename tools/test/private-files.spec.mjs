// @ts-check
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder, privately, tightenIfWide } from '../lib/private-files.mjs';

const modeOf = (/** @type {string} */ path) => (statSync(path).mode & 0o777).toString(8);

describe("an installation's directory", () => {
  /** @type {string} */
  let home;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'switchboard-files-'))));
  afterEach(() => rmSync(home, { recursive: true }));

  it('is tightened recursively without following links', () => {
    mkdirSync(join(home, 'local/logs'), { recursive: true });
    for (const name of ['local/demo.json', 'local/logs/gateway.log', 'program']) writeFileSync(join(home, name), '');
    for (const name of ['local', 'local/logs']) chmodSync(join(home, name), 0o755);
    for (const name of ['local/demo.json', 'local/logs/gateway.log', 'program']) chmodSync(join(home, name), 0o755);
    symlinkSync(join(home, 'program'), join(home, 'local/link'));
    tightenIfWide(join(home, 'local'));
    expect(
      ['local', 'local/logs', 'local/demo.json', 'local/logs/gateway.log'].map((name) => modeOf(join(home, name))),
    ).toEqual(['700', '700', '700', '700']);
    expect(modeOf(join(home, 'program'))).toBe('755');
  });

  it('contains files accessible to the owner only', () => {
    makeFolder(join(home, 'a/b'));
    privately(() => spawnSync('sh', ['-c', 'mkdir c; echo > d'], { cwd: home }));
    expect(['a', 'a/b', 'c', 'd'].map((name) => modeOf(join(home, name)))).toEqual(['700', '700', '700', '600']);
    expect(process.umask()).not.toBe(0o077);
  });
});
