import {
  AppError,
  createNoteV1,
  deleteNoteV1,
  listConversationMessagesV1,
  listNotesV1,
  newId,
  noteSample,
} from '@switchboard/contracts';
import { type Browser, signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const CONTACT = 'ct_01jd0000000000000000000000';
const PATH = `/console/v1/contacts/${CONTACT}/notes`;
const TEXT = 'Prefers calls after 18:00';

describe('console notes', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let agent: Browser & { user: { userId: string; name: string } };
  let admin: Browser;
  let viewer: Browser;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 } });
    customer = await gateway.customer();
    [agent, admin, viewer] = [
      await signedIn(gateway, customer.accountId, 'agent'),
      await signedIn(gateway, customer.accountId, 'admin'),
      await signedIn(gateway, customer.accountId, 'viewer'),
    ];
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const audit = (action: string): Promise<{ target: string; details: object; outcome: string }[]> =>
    gateway.database.dataSource.query(
      'SELECT target, details, outcome FROM audit_log WHERE account_id = $1 AND action = $2 ORDER BY id COLLATE "C"',
      [customer.accountId, action],
    );
  const add = (text: string, key?: string, browser = agent as Browser) =>
    browser.call('POST', PATH, { body: { text }, ...(key && { headers: { 'idempotency-key': key } }) });

  it('stores one note for a repeated request and records it without its text', async () => {
    const first = await add(TEXT, 'once');
    expect([first.status, first.body]).toMatchObject([201, { success: true }]);
    expect((await add(TEXT, 'once')).body).toEqual(first.body);
    expect((await add('Something else', 'once')).body.code).toBe('IDEMPOTENCY_MISMATCH');
    const [command, ...more] = gateway.fakes.of(createNoteV1);
    expect(more).toEqual([]);
    expect(command).toEqual({
      accountId: customer.accountId,
      contactId: CONTACT,
      noteId: expect.stringMatching(/^note_/) as string,
      authorId: agent.user.userId,
      text: TEXT,
    });
    expect(await audit('note.create')).toEqual([
      { target: command?.noteId, details: { contactId: CONTACT }, outcome: 'done' },
    ]);
    const stored = await gateway.database.dataSource.query<object[]>(
      `SELECT 1 FROM idempotency AS row WHERE to_jsonb(row)::text LIKE '%Prefers%'
       UNION ALL SELECT 1 FROM audit_log AS row WHERE to_jsonb(row)::text LIKE '%Prefers%'`,
    );
    expect(stored).toEqual([]);
  });

  it('uses the same id when a request is repeated after a failure', async () => {
    gateway.fakes.answer(createNoteV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    expect((await add(TEXT, 'again')).status).toBe(503);
    gateway.fakes.answer(createNoteV1, ({ noteId }) => ({ id: noteId }));
    expect((await add(TEXT, 'again')).status).toBe(201);
    const ids = gateway.fakes.of(createNoteV1).map(({ noteId }) => noteId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('rejects empty, long and unstorable texts, and viewers', async () => {
    for (const [text, code] of [
      ['', 'INVALID_VALUE'],
      [' \n', 'INVALID_VALUE'],
      ['x'.repeat(4_001), 'TEXT_TOO_LONG'],
      ['a\u0000b', 'INVALID_VALUE'],
    ] as const)
      expect([text.length, (await add(text)).body.code]).toEqual([text.length, code]);
    expect((await agent.call('POST', PATH, { body: {} })).body.code).toBe('MISSING_FIELD');
    expect((await add(TEXT, undefined, viewer)).body.code).toBe('ROLE_NOT_ALLOWED');
    expect((await agent.call('POST', '/console/v1/contacts/ct_1/notes', { body: { text: TEXT } })).status).toBe(404);
    expect(gateway.fakes.of(createNoteV1)).toEqual([]);
    expect((await add('x'.repeat(4_000))).status).toBe(201);
  });

  it('restricts agents to their own notes', async () => {
    const noteId = newId('note');
    const remove = (browser: Browser) => browser.call('DELETE', `/console/v1/notes/${noteId}`);
    expect((await remove(agent)).body).toMatchObject({ success: true });
    await remove(admin);
    const base = { accountId: customer.accountId, noteId };
    expect(gateway.fakes.of(deleteNoteV1)).toEqual([{ ...base, authorId: agent.user.userId }, base]);
    gateway.fakes.answer(deleteNoteV1, () => {
      throw new AppError('ROLE_NOT_ALLOWED');
    });
    expect((await remove(agent)).body.code).toBe('ROLE_NOT_ALLOWED');
    expect((await remove(viewer)).body.code).toBe('ROLE_NOT_ALLOWED');
    expect((await agent.call('DELETE', '/console/v1/notes/x')).status).toBe(404);
    expect((await audit('note.delete')).map(({ target, outcome }) => [target, outcome])).toEqual(
      ['done', 'done', 'refused'].map((outcome) => [noteId, outcome]),
    );
  });

  it('shows notes with their authors in the conversation only', async () => {
    const notes = [agent.user.userId, newId('usr')].map((authorId) => ({ ...noteSample, authorId }));
    gateway.fakes.answer(listConversationMessagesV1, ({ withNotes }) => ({
      ...listConversationMessagesV1.sample.response,
      ...(withNotes === true ? { notes } : { notes: undefined }),
    }));
    const { body } = await viewer.call('GET', '/console/v1/conversations/919812345678/messages?limit=5');
    const shown = { id: noteSample.id, text: noteSample.text, createdAt: noteSample.createdAt };
    expect(body.notes).toEqual([
      { ...shown, author: { id: agent.user.userId, name: agent.user.name } },
      { ...shown, author: { id: notes[1]?.authorId, name: null } },
    ]);
    expect(gateway.fakes.of(listConversationMessagesV1)).toMatchObject([{ limit: 5, withNotes: true }]);
    gateway.fakes.answer(listConversationMessagesV1, () => ({
      ...listConversationMessagesV1.sample.response,
      notes,
    }));
    const open = await call(`${gateway.url}/v1/conversations/919812345678/messages`, { key: customer.apiKey });
    expect(JSON.stringify(open.body)).not.toContain('note');
    expect(gateway.fakes.of(listConversationMessagesV1)[1]).not.toHaveProperty('withNotes');
  });

  it('exports notes as CSV, but not for agents', async () => {
    const note = { ...noteSample, phone: '919812345678', userId: null, contactName: '=Asha' };
    gateway.fakes.answer(listNotesV1, ({ cursor }) => ({
      notes: [{ ...note, authorId: agent.user.userId, text: cursor === undefined ? 'two, "lines"\nhere' : 'last' }],
      nextCursor: cursor === undefined ? 'next' : null,
    }));
    const file = await viewer.call('GET', '/console/v1/exports/notes.csv');
    const lines = String(file.body.text).split('\r\n');
    expect(lines[0]).toMatch(/id,contactId,phone,userId,contactName,authorId,authorName,text,createdAt$/);
    expect(lines[1]).toContain(`,919812345678,,'=Asha,${agent.user.userId},${agent.user.name},"two, ""lines""\nhere",`);
    expect(lines[2]).toContain(',last,');
    expect(gateway.fakes.of(listNotesV1)).toEqual([
      { accountId: customer.accountId, limit: 100 },
      { accountId: customer.accountId, limit: 100, cursor: 'next' },
    ]);
    expect((await agent.call('GET', '/console/v1/exports/notes.csv')).body.code).toBe('ROLE_NOT_ALLOWED');
  });
});
