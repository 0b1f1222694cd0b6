import {
  AppError,
  contactSample,
  getContactV1,
  getJobV1,
  getMessageV1,
  listContactsV1,
  listJobsV1,
  listMessagesV1,
  newId,
  searchTemplatesV1,
  showTemplateV1,
} from '@switchboard/contracts';
import { type Browser, signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const [JOB] = listJobsV1.sample.response.jobs;
const [TEMPLATE] = searchTemplatesV1.sample.response.templates;
const [MESSAGE] = listMessagesV1.sample.response.messages;
const NO_PAGE = { total: 0, totalIsExact: true, hasNext: false, nextCursor: null };

describe('console search', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let viewer: Browser;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 } });
    customer = await gateway.customer();
    viewer = await signedIn(gateway, customer.accountId, 'viewer');
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const search = async (q: string, more = '') =>
    (await viewer.call('GET', `/console/v1/search?q=${encodeURIComponent(q)}${more}`)).body;

  it('finds every kind by a part of a name', async () => {
    const { accountId } = customer;
    const key = await gateway.services.keys.createKey(
      { accountId, name: 'Órder Service', allowedIps: [], allowedRoutes: [] },
      'test',
    );
    const { prefix, lastFour } = key.record;
    expect(await search(' order  s', '&limit=3')).toEqual({
      success: true,
      contacts: [expect.objectContaining({ id: contactSample.id, phone: contactSample.phone })],
      messages: [expect.objectContaining({ id: MESSAGE?.id, status: MESSAGE?.status })],
      templates: [{ id: TEMPLATE?.id, name: TEMPLATE?.name, language: TEMPLATE?.language, status: TEMPLATE?.status }],
      jobs: [
        expect.objectContaining({ jobId: JOB?.jobId, name: JOB?.name, template: JOB?.template, total: JOB?.total }),
      ],
      keys: [{ id: key.record.keyId, name: 'Órder Service', state: 'active', prefix, lastFour }],
      incomplete: [],
    });
    expect(gateway.fakes.of(listContactsV1)).toEqual([{ accountId, search: 'orders', page: 1, limit: 3 }]);
    expect(gateway.fakes.of(listMessagesV1)).toEqual([{ accountId, clientRef: 'order  s', page: 1, limit: 3 }]);
    expect(gateway.fakes.of(searchTemplatesV1)).toEqual([{ accountId, partOfName: 'orders', limit: 3 }]);
    const names = { partOfName: 'orders', search: 'order  s' };
    expect(gateway.fakes.of(listJobsV1)).toEqual([{ accountId, ...names, page: 1, limit: 3 }]);
    for (const text of [lastFour, prefix, key.record.keyId])
      expect([text, (await search(text)).keys]).toEqual([text, [expect.objectContaining({ id: key.record.keyId })]]);
  });

  it('finds objects by their ids', async () => {
    const { accountId } = customer;
    const [contactId, jobId, messageId] = [newId('ct'), newId('job'), newId('msg')];
    expect((await search(contactId)).contacts).toHaveLength(1);
    expect((await search(jobId)).jobs).toHaveLength(1);
    expect((await search(messageId)).messages).toHaveLength(1);
    expect((await search('wamid.HBgMOTE5')).messages).toHaveLength(1);
    expect(gateway.fakes.of(getContactV1)).toEqual([{ accountId, contactId }]);
    expect(gateway.fakes.of(getJobV1)).toEqual([{ accountId, jobId }]);
    expect(gateway.fakes.of(getMessageV1).map(({ id }) => id)).toEqual([messageId, 'wamid.HBgMOTE5']);
    gateway.fakes.answer(searchTemplatesV1, () => ({ templates: [], nextCursor: null }));
    expect((await search('1689556908129832')).templates).toHaveLength(1);
    expect(gateway.fakes.of(showTemplateV1)).toEqual([{ accountId, templateId: '1689556908129832' }]);
  });

  it('finds nothing for unknown ids', async () => {
    for (const contract of [getContactV1, getJobV1, getMessageV1, showTemplateV1])
      gateway.fakes.answer(contract, () => {
        throw new AppError('NOT_FOUND');
      });
    gateway.fakes.answer(listContactsV1, () => ({ contacts: [], ...NO_PAGE }));
    gateway.fakes.answer(listMessagesV1, () => ({ messages: [], ...NO_PAGE }));
    gateway.fakes.answer(listJobsV1, () => ({ jobs: [], ...NO_PAGE }));
    gateway.fakes.answer(searchTemplatesV1, () => ({ templates: [], nextCursor: null }));
    const nothing = { success: true, contacts: [], messages: [], templates: [], jobs: [], keys: [], incomplete: [] };
    for (const text of [newId('ct'), newId('job'), newId('msg'), newId('key'), '1689556908129832'])
      expect([text, await search(text)]).toEqual([text, nothing]);
  });

  it('finds a reference that looks like an id', async () => {
    gateway.fakes.answer(getMessageV1, () => {
      throw new AppError('NOT_FOUND');
    });
    for (const clientRef of ['msg_order_7781', 'wamid.7781']) {
      expect([clientRef, (await search(clientRef)).messages]).toEqual([clientRef, [expect.anything()]]);
      expect(gateway.fakes.of(listMessagesV1).at(-1)).toMatchObject({ clientRef });
    }
  });

  it('lists the kinds that have further results', async () => {
    const { accountId } = customer;
    const cut = { total: 1_000, totalIsExact: false, hasNext: true, nextCursor: 'next' };
    gateway.fakes.answer(listContactsV1, () => ({ contacts: [], ...cut }));
    gateway.fakes.answer(searchTemplatesV1, () => ({ templates: [], nextCursor: 'next' }));
    gateway.fakes.answer(listJobsV1, () => ({ jobs: [], ...cut }));
    for (let count = 0; count < 2; count += 1)
      await gateway.services.keys.createKey({ accountId, name: 'Orchard', allowedIps: [], allowedRoutes: [] }, 'test');
    expect((await search('orchard', '&limit=1')).incomplete).toEqual(['contacts', 'templates', 'jobs', 'keys']);
    expect((await search('orchard', '&limit=2')).incomplete).toEqual(['contacts', 'templates', 'jobs']);
  });

  it('returns null for a kind whose service is unavailable', async () => {
    gateway.fakes.answer(listJobsV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    const found = await search('order');
    expect([found.jobs, found.contacts]).toEqual([null, [expect.anything()]]);
  });

  it('asks no service about names that it cannot have', async () => {
    const found = await search('नमस्ते');
    expect([found.templates, found.jobs]).toEqual([[], [expect.objectContaining({ jobId: JOB?.jobId })]]);
    expect(gateway.fakes.of(listJobsV1)).toMatchObject([{ search: 'नमस्ते' }]);
    await search('x'.repeat(200));
    expect(gateway.fakes.of(listContactsV1)).toHaveLength(1);
    expect(gateway.fakes.of(listMessagesV1)).toHaveLength(1);
    expect(gateway.fakes.of(listJobsV1)).toHaveLength(1);
  });

  it.each([
    ['no text', '', 'MISSING_FIELD'],
    ['one character', '?q=%2B%20a', 'INVALID_VALUE'],
    ['257 characters', `?q=${'x'.repeat(257)}`, 'INVALID_VALUE'],
    ['two texts', '?q=ab&q=cd', 'INVALID_PARAMETER'],
    ['an invalid limit', '?q=ab&limit=0', 'INVALID_PARAMETER'],
  ])('rejects a search with %s', async (_title, query, code) => {
    expect((await viewer.call('GET', `/console/v1/search${query}`)).body.code).toBe(code);
    expect(gateway.fakes.of(listContactsV1)).toEqual([]);
  });

  it('passes a search in message texts to messaging', async () => {
    await viewer.call('GET', '/console/v1/messages?text=My%20order%2B');
    expect(gateway.fakes.of(listMessagesV1)).toMatchObject([{ accountId: customer.accountId, text: 'Myorder' }]);
    expect((await viewer.call('GET', '/console/v1/messages?text=a')).body.code).toBe('INVALID_VALUE');
  });
});
