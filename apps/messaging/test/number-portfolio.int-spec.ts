import { canonicalPhone, firstIdAt, getSendingCapacityV1, listNumbersV1, newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningMessaging, startMessaging } from './support/start-messaging';

const HOUR_MS = 3_600_000;
const PORTFOLIO = '300000000000001';

describe('number portfolio', () => {
  let messaging: RunningMessaging;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  afterAll(() => messaging.stop());

  it('shares one messaging limit among its numbers', async () => {
    const first = await messaging.addAccount();
    const { accountId } = first;
    const second = await messaging.addAccount(accountId);
    const third = await messaging.addAccount(accountId);
    const sql = (text: string, ...params: unknown[]) => messaging.dataSource.query(text, params);
    await sql(
      "UPDATE numbers SET waba_id = '100000000000009', portfolio_id = $2 WHERE id = $1",
      second.numberId,
      PORTFOLIO,
    );
    await sql('UPDATE numbers SET portfolio_id = $2 WHERE id = $1', first.numberId, PORTFOLIO);
    await sql("UPDATE numbers SET portfolio_id = '300000000000009' WHERE id = $1", third.numberId);
    const send = async (contactId: string, numberId: string, hoursAgo: number): Promise<void> => {
      await sql(
        `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
           accepted_at, upstream_id)
         VALUES ($1, $2, $3, $4, 'outbound', '1', '2', 'template', '{}', 'sent', now(), $1)`,
        firstIdAt('msg', Date.now() - hoursAgo * HOUR_MS),
        accountId,
        numberId,
        contactId,
      );
    };
    const contact = async (phone: string): Promise<string> => {
      const id = newId('ct');
      await sql(
        'INSERT INTO contacts (id, account_id, phone, phone_key) VALUES ($1, $2, $3, $4)',
        id,
        accountId,
        phone,
        canonicalPhone(phone),
      );
      return id;
    };
    const [asha, bo, cy] = [
      await contact('919812345678'),
      await contact('919812345679'),
      await contact('919812345680'),
    ];
    await send(asha, first.numberId, 1);
    await send(asha, second.numberId, 2);
    await send(bo, second.numberId, 3);
    // Older than the 24 hours of the limit.
    await send(cy, first.numberId, 25);
    await send(cy, third.numberId, 4);
    const { numbers } = await messaging.gateway.request(getSendingCapacityV1, {
      accountId,
      numbers: [first, second, third].map(({ phoneNumber }) => phoneNumber),
      at: new Date().toISOString(),
    });
    expect(numbers.map(({ portfolio, messagingLimit, remaining }) => [portfolio, messagingLimit, remaining])).toEqual([
      [PORTFOLIO, 10_000, 9_998],
      [PORTFOLIO, 10_000, 9_998],
      ['300000000000009', 10_000, 9_999],
    ]);
  });

  it('is read from the platform', async () => {
    const { accountId, numberId } = await messaging.addAccount();
    messaging.upstream.setPortfolio(PORTFOLIO);
    await messaging.dataSource.query('UPDATE numbers SET poll_due_at = now() WHERE id = $1', [numberId]);
    await eventually(async () =>
      expect((await messaging.gateway.request(listNumbersV1, { accountId })).numbers).toMatchObject([
        { portfolioId: PORTFOLIO },
      ]),
    );
  });
});
