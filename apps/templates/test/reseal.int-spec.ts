import { createCipheriv, randomBytes } from 'node:crypto';
import { templatesCountSecretsV1, templatesResealSecretsV1 } from '@switchboard/contracts';
import { SecretBox } from '@switchboard/platform';
import { TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { tokenPlace } from '../src/sync/token-place';
import { type RunningTemplates, startTemplates } from './support/start-templates';

/** As values were sealed before they named their key and place. */
function sealFirstVersion(plain: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(TEST_ENCRYPTION_KEY, 'base64'), nonce);
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
}

describe("businesses' tokens", () => {
  let templates: RunningTemplates;
  beforeAll(async () => {
    templates = await startTemplates();
  }, 120_000);
  afterAll(() => templates.stop(), 120_000);

  it('are sealed anew for their row', async () => {
    const accountId = await templates.addAccount('waba-reseal');
    await templates.dataSource.query('UPDATE upstream_accounts SET sealed_access_token = $2 WHERE account_id = $1', [accountId, sealFirstVersion('token-1')]);
    const column = 'upstream_accounts.sealed_access_token';
    const count = async () => (await templates.gateway.ask(templatesCountSecretsV1, {})).columns;
    expect(await count()).toEqual([{ column, current: 0, previous: 0, withoutKeyId: 1, unknown: 0 }]);
    await expect(templates.gateway.ask(templatesResealSecretsV1, { column, limit: 10 })).resolves.toEqual({ resealed: 1, unreadable: [] });
    expect(await count()).toEqual([{ column, current: 1, previous: 0, withoutKeyId: 0, unknown: 0 }]);
    const [row] = (await templates.dataSource.query('SELECT sealed_access_token AS sealed FROM upstream_accounts')) as [{ sealed: string }];
    const box = new SecretBox({ ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
    expect(box.open(row.sealed, tokenPlace({ accountId, wabaId: 'waba-reseal' }))).toBe('token-1');
  });
});
