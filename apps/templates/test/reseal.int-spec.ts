import { templatesCountSecretsV1, templatesResealSecretsV1 } from '@switchboard/contracts';
import { SecretBox } from '@switchboard/platform';
import { sealFirstVersion, TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { tokenPlace } from '../src/upstream/token-place';
import { type RunningTemplates, startTemplates } from './support/start-templates';

describe('business tokens', () => {
  let templates: RunningTemplates;
  beforeAll(async () => {
    templates = await startTemplates();
  }, 120_000);
  afterAll(() => templates.stop(), 120_000);

  it('are re-encrypted for their row', async () => {
    const accountId = await templates.addAccount('waba-reseal');
    await templates.dataSource.query('UPDATE upstream_accounts SET sealed_access_token = $2 WHERE account_id = $1', [
      accountId,
      sealFirstVersion('token-1'),
    ]);
    const column = 'upstream_accounts.sealed_access_token';
    const count = async () => (await templates.gateway.request(templatesCountSecretsV1, {})).columns;
    expect(await count()).toEqual([{ column, current: 0, previous: 0, withoutKeyId: 1, unknown: 0 }]);
    await expect(templates.gateway.request(templatesResealSecretsV1, { column, limit: 10 })).resolves.toEqual({
      resealed: 1,
      unreadable: [],
    });
    expect(await count()).toEqual([{ column, current: 1, previous: 0, withoutKeyId: 0, unknown: 0 }]);
    const [row] = (await templates.dataSource.query('SELECT sealed_access_token AS sealed FROM upstream_accounts')) as [
      { sealed: string },
    ];
    const box = new SecretBox({ ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
    expect(box.open(row.sealed, tokenPlace({ accountId, wabaId: 'waba-reseal' }))).toBe('token-1');
  });
});
