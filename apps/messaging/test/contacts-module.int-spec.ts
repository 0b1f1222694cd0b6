import { Test, type TestingModule } from '@nestjs/testing';
import { newId } from '@switchboard/contracts';
import { DatabaseModule } from '@switchboard/database';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { ContactsController } from '../src/contacts/contacts.controller';
import { ContactsModule } from '../src/contacts/contacts.module';
import { migrations } from '../src/migrations';

/** Runs a single feature module with its dependencies, without the rest of the service. */
describe('ContactsModule', () => {
  let database: TestDatabase;
  let app: TestingModule;
  let contacts: ContactsController;

  beforeAll(async () => {
    database = await createTestDatabase('messaging', migrations);
    app = await Test.createTestingModule({
      imports: [
        DatabaseModule.forRoot({ schema: 'messaging', url: database.url, entities: [], sizes: { requests: 1 } }),
        ContactsModule,
      ],
    }).compile();
    await app.init();
    contacts = app.get(ContactsController);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('stores a contact and returns it by its id', async () => {
    const accountId = newId('acc');
    const { contact } = await contacts.updateContact({ accountId, phone: '919812345678', name: 'Asha' });
    const found = await contacts.getContact({ accountId, contactId: contact.id });
    expect(found.contact).toMatchObject({ id: contact.id, phone: '919812345678', name: 'Asha' });
  });

  it('does not return a contact of another account', async () => {
    const { contact } = await contacts.updateContact({ accountId: newId('acc'), phone: '919812345678' });
    const listed = await contacts.listContacts({ accountId: newId('acc'), page: 1, limit: 20 });
    expect(contact.phone).toBe('919812345678');
    expect(listed.contacts).toEqual([]);
  });
});
