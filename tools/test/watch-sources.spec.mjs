// @ts-check
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../lib/wait.mjs';
import { isSource, watchSources } from '../lib/watch-sources.mjs';

describe('isSource', () => {
  it.each([
    'apps/messaging/src/main.ts',
    'apps/dashboard/src/features/jobs/jobs.tsx',
    'libs/broker/src/broker.ts',
    'docs/guides/webhooks.md',
    'docs/spec.md',
  ])('accepts %s', (file) => expect(isSource(file)).toBe(true));

  it.each([
    'apps/messaging/src/main.spec.ts',
    'apps/messaging/test/lists.int-spec.ts',
    'apps/e2e/src/sends.e2e.ts',
    'docs/openapi.json',
    'apps/gateway/src/cli/help.json',
    'libs/client/src/api.ts',
    'libs/python-client/src/switchboard/types.py',
    'docs/adr/0001-layout.md',
    'apps/messaging/src/main.ts~',
    'apps/messaging/src/.main.ts.swp',
  ])('rejects %s', (file) => expect(isSource(file)).toBe(false));
});

describe('watchSources', () => {
  /** @type {string} */
  let root;
  /** @type {(() => Promise<void>) | undefined} */
  let end;

  beforeEach(() => {
    renewals = 0;
    root = mkdtempSync(join(tmpdir(), 'switchboard-watch-'));
    for (const folder of ['apps/one/src', 'libs/two/src', 'docs/guides'])
      mkdirSync(join(root, folder), { recursive: true });
  });
  afterEach(async () => {
    await end?.();
    rmSync(root, { recursive: true });
  });

  let renewals = 0;
  const renewed = (/** @type {number} */ times) =>
    eventually(`renewal ${times}`, () => renewals === times, { timeoutMs: 10_000, everyMs: 20 });
  const change = (/** @type {string} */ file) => writeFileSync(join(root, file), String(Math.random()));

  it('renews once for simultaneous changes and again for later ones', async () => {
    const renew = async () => {
      renewals += 1;
      if (renewals === 1) change('libs/two/src/b.ts');
      // Longer than the debounce time, so that the change is seen during this renewal.
      await new Promise((resolve) => setTimeout(resolve, 300));
      return ['one'];
    };
    end = await watchSources({ renew, root });
    change('apps/one/src/a.ts');
    change('apps/one/src/b.ts');
    await renewed(2);
  });

  it('detects later writes to a replaced file', async () => {
    const renew = async () => {
      renewals += 1;
      return [];
    };
    change('apps/one/src/a.ts');
    end = await watchSources({ renew, root });
    for (let turn = 0; turn < 2; turn += 1) {
      const before = renewals;
      change('apps/one/new-a.ts');
      renameSync(join(root, 'apps/one/new-a.ts'), join(root, 'apps/one/src/a.ts'));
      await renewed(before + 1);
      change('apps/one/src/a.ts');
      await renewed(before + 2);
    }
  });

  it('continues after a failed build', async () => {
    const renew = async () => {
      renewals += 1;
      if (renewals === 1) throw new Error('it does not compile');
      return [];
    };
    end = await watchSources({ renew, root });
    change('apps/one/src/a.ts');
    await renewed(1);
    change('apps/one/src/a.ts');
    await renewed(2);
  });
});
