import { messagingCountSecretsV1, messagingResealSecretsV1 } from '@switchboard/contracts';
import { sealFirstVersion } from '@switchboard/testing';
import { tokenPlace } from '../src/numbers/number-token';
import { ACCESS_TOKEN, type RunningMessaging, startMessaging, testBox } from './support/start-messaging';

describe('tokens of numbers', () => {
  let messaging: RunningMessaging;
  beforeAll(async () => {
    messaging = await startMessaging();
  }, 120_000);
  afterAll(() => messaging.stop(), 120_000);

  const count = async () => (await messaging.gateway.request(messagingCountSecretsV1, {})).columns;

  it('are re-encrypted for their row and remain usable', async () => {
    const account = await messaging.addAccount();
    await messaging.writeIn(account);
    await messaging.dataSource.query('UPDATE numbers SET sealed_access_token = $2 WHERE id = $1', [
      account.numberId,
      sealFirstVersion(ACCESS_TOKEN),
    ]);
    expect(await count()).toEqual([
      { column: 'numbers.sealed_access_token', current: 0, previous: 0, withoutKeyId: 1, unknown: 0 },
      { column: 'messages.sealed_content', current: 0, previous: 0, withoutKeyId: 0, unknown: 0 },
    ]);
    await expect(
      messaging.gateway.request(messagingResealSecretsV1, { column: 'messages.sealed_content', limit: 10 }),
    ).resolves.toEqual({ resealed: 0, unreadable: [] });
    await expect(
      messaging.gateway.request(messagingResealSecretsV1, { column: 'numbers.sealed_access_token', limit: 10 }),
    ).resolves.toEqual({ resealed: 1, unreadable: [] });
    expect((await count())[0]).toMatchObject({ current: 1, withoutKeyId: 0 });
    const [row] = (await messaging.dataSource.query('SELECT sealed_access_token AS sealed FROM numbers WHERE id = $1', [
      account.numberId,
    ])) as [{ sealed: string }];
    expect(testBox.open(row.sealed, tokenPlace(account.numberId))).toBe(ACCESS_TOKEN);
    await expect(messaging.send(account.accountId, { text: { body: 'Hello' } })).resolves.toBeDefined();
  });
});
