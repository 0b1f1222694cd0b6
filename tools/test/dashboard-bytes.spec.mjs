// @ts-check
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOverBudget } from '../lib/dashboard-bytes.mjs';

describe('dashboard size limits', () => {
  /** @type {string} */
  let folder;
  const write = (/** @type {string} */ name, /** @type {number} */ bytes) =>
    writeFileSync(join(folder, 'assets', name), randomBytes(bytes));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dashboard-bytes-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(
      join(folder, 'index.html'),
      '<script src="/dashboard/assets/a.js"><link href="/dashboard/assets/a.css">',
    );
    write('a.js', 100_000);
    write('a.css', 10_000);
    write('page.js', 30_000);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('accept smaller files', () => {
    expect(bytesOverBudget(folder)).toEqual([]);
  });

  it.each([
    ['a.js', 200_000, 'the scripts of the first load'],
    ['a.css', 16_000, 'the styles of the first load'],
    ['page.js', 41_000, 'page.js'],
  ])('reject %s of %d bytes', (name, bytes, what) => {
    write(name, bytes);
    expect(bytesOverBudget(folder)).toEqual([expect.stringContaining(what)]);
  });

  it('reject a page that loads nothing', () => {
    writeFileSync(join(folder, 'index.html'), '<p>');
    expect(bytesOverBudget(folder)).toEqual(['index.html names no script']);
  });
});
