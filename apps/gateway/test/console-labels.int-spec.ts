import {
  AppError,
  changeLabelV1,
  createLabelV1,
  deleteLabelV1,
  labelContactV1,
  listContactsV1,
  listConversationsV1,
  listLabelsV1,
  newId,
} from '@switchboard/contracts';
import { type Browser, signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const CONTACT = 'ct_01jd0000000000000000000000';
const [LABEL] = listLabelsV1.sample.response.labels;
const labelId = LABEL?.id ?? '';

describe('console labels', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let admin: Browser & { user: { userId: string } };
  let agent: Browser & { user: { userId: string } };

  beforeAll(async () => {
    gateway = await startGateway({ settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 } });
    customer = await gateway.customer();
    [admin, agent] = [
      await signedIn(gateway, customer.accountId, 'admin'),
      await signedIn(gateway, customer.accountId, 'agent'),
    ];
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const audited = (userId: string): Promise<{ action: string; target: string; details: object; outcome: string }[]> =>
    gateway.database.dataSource.query(
      `SELECT action, target, details, outcome FROM audit_log
       WHERE account_id = $1 AND actor = $2 AND action LIKE '%label%' ORDER BY id COLLATE "C"`,
      [customer.accountId, `user:${userId}`],
    );

  it('manages labels and records the actor', async () => {
    expect((await agent.call('GET', '/console/v1/labels')).body.labels).toEqual([LABEL]);
    const created = await admin.call('POST', '/console/v1/labels', { body: { name: 'VIP', colour: 'green' } });
    expect([created.status, created.body.label]).toEqual([201, LABEL]);
    const path = `/console/v1/labels/${labelId}`;
    expect((await admin.call('PATCH', path, { body: { colour: 'red' } })).body.label).toEqual(LABEL);
    expect((await admin.call('DELETE', path)).body).toMatchObject({ id: labelId });
    const { accountId } = customer;
    const [{ labelId: newLabelId } = {}] = gateway.fakes.of(createLabelV1) as { labelId?: string }[];
    expect(gateway.fakes.of(createLabelV1)).toEqual([
      { accountId, labelId: expect.stringMatching(/^lbl_/) as string, name: 'VIP', colour: 'green' },
    ]);
    expect(gateway.fakes.of(changeLabelV1)).toEqual([{ accountId, labelId, colour: 'red' }]);
    expect(gateway.fakes.of(deleteLabelV1)).toEqual([{ accountId, labelId }]);
    expect(await audited(admin.user.userId)).toEqual([
      { action: 'label.create', target: newLabelId, details: { name: 'VIP', colour: 'green' }, outcome: 'done' },
      { action: 'label.change', target: labelId, details: { colour: 'red' }, outcome: 'done' },
      { action: 'label.delete', target: labelId, details: { name: 'VIP', contacts: 12 }, outcome: 'done' },
    ]);
  });

  it('lets agents add and remove a label', async () => {
    const path = `/console/v1/contacts/${CONTACT}/labels`;
    expect((await agent.call('POST', `${path}/add`, { body: { labelId } })).body).toMatchObject({ labels: ['VIP'] });
    await agent.call('POST', `${path}/remove`, { body: { labelId } });
    const command = { accountId: customer.accountId, contactId: CONTACT, labelId };
    expect(gateway.fakes.of(labelContactV1)).toEqual([
      { ...command, isLabelled: true },
      { ...command, isLabelled: false },
    ]);
    const details = { labelId };
    expect(await audited(agent.user.userId)).toEqual([
      { action: 'contact.add-label', target: CONTACT, details, outcome: 'done' },
      { action: 'contact.remove-label', target: CONTACT, details, outcome: 'done' },
    ]);
    gateway.fakes.answer(labelContactV1, () => {
      throw new AppError('NOT_FOUND');
    });
    expect((await agent.call('POST', `${path}/add`, { body: { labelId } })).status).toBe(404);
    expect((await agent.call('POST', `${path}/add`, { body: { labelId: newId('lbl') } })).status).toBe(404);
  });

  it.each<[string, object, string]>([
    ['no name', { colour: 'red' }, 'MISSING_FIELD'],
    ['an empty name', { name: '', colour: 'red' }, 'INVALID_VALUE'],
    ['a blank name', { name: '  ', colour: 'red' }, 'INVALID_VALUE'],
    ['a long name', { name: 'x'.repeat(41), colour: 'red' }, 'TEXT_TOO_LONG'],
    ['a control character', { name: 'a\nb', colour: 'red' }, 'INVALID_VALUE'],
    ['an unknown colour', { name: 'VIP', colour: 'mauve' }, 'INVALID_PARAMETER'],
  ])('rejects a label with %s', async (_title, body, code) => {
    expect((await admin.call('POST', '/console/v1/labels', { body })).body.code).toBe(code);
    expect(gateway.fakes.of(createLabelV1)).toEqual([]);
  });

  it('rejects empty changes, and requests of lower roles', async () => {
    const path = `/console/v1/labels/${labelId}`;
    for (const body of [{}, { name: null, colour: null }])
      expect((await admin.call('PATCH', path, { body })).body.code).toBe('MISSING_FIELD');
    expect((await admin.call('PATCH', '/console/v1/labels/x', { body: { name: 'A' } })).status).toBe(404);
    expect((await admin.call('DELETE', `/console/v1/labels/${newId('lbl')}`)).status).toBe(404);
    expect((await agent.call('PATCH', path, { body: { name: 'A' } })).body.code).toBe('ROLE_NOT_ALLOWED');
    const viewer = await signedIn(gateway, customer.accountId, 'viewer');
    const added = await viewer.call('POST', `/console/v1/contacts/${CONTACT}/labels/add`, { body: { labelId } });
    expect(added.body.code).toBe('ROLE_NOT_ALLOWED');
  });

  it('filters contacts and conversations', async () => {
    const { body } = await agent.call('GET', '/console/v1/conversations?view=unread&label=VIP&limit=5');
    expect(body.conversations).toMatchObject([{ labels: ['VIP'] }]);
    const contacts = await agent.call('GET', '/console/v1/contacts?label=New%20order');
    expect(contacts.body.contacts).toMatchObject([{ labels: ['VIP'] }]);
    expect(gateway.fakes.of(listConversationsV1)).toMatchObject([{ view: 'unread', label: 'VIP' }]);
    expect(gateway.fakes.of(listContactsV1)).toMatchObject([{ label: 'New order' }]);
    for (const list of ['contacts', 'conversations'])
      expect((await agent.call('GET', `/console/v1/${list}?label=${'x'.repeat(41)}`)).body.code).toBe('INVALID_VALUE');
    await admin.call('GET', '/console/v1/exports/contacts.csv?label=VIP');
    expect(gateway.fakes.of(listContactsV1).at(-1)).toMatchObject({ label: 'VIP' });
  });
});
