import { type Audience, countAudienceV1, createLabelV1, listAudienceV1, newId } from '@switchboard/contracts';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const CONTACTS = 100_000;
const FILL = `
  WITH made AS (
    INSERT INTO contacts (id, account_id, phone, phone_key, name, opted_out, marketing_opted_out, blocked)
    SELECT 'ct_01jd' || lpad(n::text, 22, '0'), $1, (919900000000 + n)::text, (919900000000 + n)::text,
      'Contact ' || n, n % 10 = 0, false, false
    FROM generate_series(1, $2::int) AS n
    RETURNING id, account_id
  )
  INSERT INTO contact_labels (account_id, contact_id, label_id) SELECT account_id, id, $3 FROM made`;

describe('audience of 100,000 contacts', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  const labelId = newId('lbl');

  beforeAll(async () => {
    messaging = await startMessaging();
    account = await messaging.addAccount();
    const { accountId } = account;
    await messaging.gateway.request(createLabelV1, { accountId, labelId, name: 'VIP', colour: 'red' });
    await messaging.dataSource.query(FILL, [accountId, CONTACTS, labelId]);
    await messaging.dataSource.query('ANALYZE contacts, contact_labels');
  }, 120_000);
  afterAll(() => messaging.stop());

  it.each<[string, Audience, number]>([
    ['all contacts', {}, CONTACTS],
    ['a label', { labelId, optedIn: true }, CONTACTS * 0.9],
    ['contacts that never wrote', { labelId, silentSince: '2026-01-01T00:00:00.000Z' }, CONTACTS],
    ['no contact', { windowOpen: true, wroteSince: '2026-01-01T00:00:00.000Z' }, 0],
  ])(
    'is counted and read in bounded pages for %s',
    async (name, audience, expected) => {
      const { accountId } = account;
      let startedAt = performance.now();
      expect(await messaging.gateway.request(countAudienceV1, { accountId, audience })).toEqual({
        count: expected,
        isExact: true,
      });
      const countMs = Math.round(performance.now() - startedAt);
      startedAt = performance.now();
      const recipients = new Set<string>();
      let pages = 0;
      let after: string | null = null;
      do {
        const page: { members: { recipient: string }[]; next: string | null } = await messaging.gateway.request(
          listAudienceV1,
          { accountId, audience, limit: 1_000, ...(after !== null && { after }) },
        );
        for (const { recipient } of page.members) recipients.add(recipient);
        pages += 1;
        after = page.next;
      } while (after !== null);
      expect(recipients.size).toBe(expected);
      process.stdout.write(
        `${name}: counted in ${countMs} ms, read in ${pages} pages and ${Math.round(performance.now() - startedAt)} ms\n`,
      );
    },
    120_000,
  );
});
