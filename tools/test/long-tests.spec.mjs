// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { LONG_E2E, LONG_INTEGRATION, LONG_UNIT } from '../lib/long-tests.mjs';

describe('the tests that a plain run leaves out', () => {
  const all = [...LONG_UNIT, ...LONG_INTEGRATION, ...LONG_E2E];

  test('are there, and stand in the list once', () => {
    expect(all.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });

  test('are of the kind of their list', () => {
    expect(LONG_INTEGRATION.filter((file) => !/^(apps|libs)\/[\w-]+\/test\/.*\.int-spec\.ts$/.test(file))).toEqual([]);
    expect(LONG_UNIT.filter((file) => !/\.spec\.(ts|mjs)$/.test(file))).toEqual([]);
    expect(LONG_E2E.filter((file) => !/^apps\/e2e\/src\/.*\.e2e\.ts$/.test(file))).toEqual([]);
  });
});
