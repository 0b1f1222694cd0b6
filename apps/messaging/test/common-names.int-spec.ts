import { ContactsService } from '../src/contacts/contacts.service';
import { createStore, type StoredAccount, type TestStore } from './support/store';

/** More than `RARE_LIMIT`, so that the list is scanned. */
const PEOPLE = 1_100;
const FILL = `
  INSERT INTO contacts (id, account_id, phone, phone_key, name, profile_name, username, app_name)
  SELECT 'ct_01jd' || lpad(n::text, 22, '0'), $1, (919700000000 + n)::text, (919700000000 + n)::text, 'Asha Given', 'José Own', 'patuser', 'Sam App'
  FROM generate_series(1, $2::int) AS n`;

describe('a search fragment that many contacts match', () => {
  let store: TestStore;
  let account: StoredAccount;

  beforeAll(async () => {
    store = await createStore();
    account = await store.addAccount();
    await store.dataSource.query(FILL, [account.accountId, PEOPLE]);
  });
  afterAll(() => store.drop());

  const list = (search: string) =>
    new ContactsService(store.dataSource).listContacts({ accountId: account.accountId, page: 1, limit: 20, search });

  it.each(['9197', 'ha giv', 'jose o', 'PATUS', 'sam ap'])(
    'finds contacts by any of their names: %j',
    async (search) => {
      const { contacts, ...rest } = await list(search);
      expect(contacts).toHaveLength(20);
      expect(rest).toMatchObject({ total: 1_000, totalIsExact: false, hasNext: true });
    },
  );

  it('finds no contact by an unused name', async () => {
    expect(await list('nobody')).toMatchObject({ contacts: [], total: 0 });
  });
});
