import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import { newAccount, type TestAccount } from '../support/account';
import { type Answer, get, post } from '../support/api';
import { eventProblems } from '../support/described';
import { demo, done } from '../support/installation';
import { control, freshPhone, receivedUpstream, writeInAny } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';
import { type Listener, listenFor } from '../support/webhooks';

interface Person {
  phone: string;
  userId: string;
  username: string;
}

const text = (body: string) => ({ type: 'text', text: { body } });

describe('3.12 contacts with a hidden number', () => {
  let account: TestAccount;
  let listener: Listener;
  let asking: string;
  let person: Person;

  beforeAll(async () => {
    account = await newAccount('Hidden numbers');
    const button = { type: 'BUTTONS', buttons: [{ type: 'REQUEST_CONTACT_INFO' }] };
    const template = createTemplate([{ type: 'BODY', text: 'May we have your number?' }, button]);
    [listener, { name: asking }] = await Promise.all([listenFor(account.accountId), template]);
    await approved(account, ['hello_world', 'verification_code', asking]);
  }, 120_000);
  beforeEach(async () => {
    const phone = freshPhone();
    const username = `asha.${phone.slice(-8)}`;
    person = await control<Person>('POST', '/people', {
      phone,
      name: 'Asha R',
      username: `@${username}`,
      hidePhone: true,
    });
    person.username = username;
  });
  afterAll(() => listener.receiver.close());

  const key = () => ({ apiKey: account.apiKey });
  const send = (message: object): Promise<Answer> => post('/messages/send', message, key());
  const eventWith = (wanted: Record<string, unknown>): Promise<Record<string, unknown>> =>
    eventually(() => {
      const events = listener.events().map((event) => ({ ...event }) as Record<string, unknown>);
      const found = events.find((event) => Object.entries(wanted).every(([name, value]) => event[name] === value));
      if (!found) throw new Error(`no event with ${JSON.stringify(wanted)} yet`);
      return found;
    });
  /** Sends a message of the contact. Returns its id once the service has stored it. */
  const written = async (message: object = text('Hello')): Promise<string> => {
    const messageId = await writeInAny({ from: person.phone, type: 'text', to: account.phoneNumber, ...message });
    await eventWith({ event: 'message', messageId });
    return messageId;
  };
  const thread = async (name: string): Promise<Record<string, unknown>[]> =>
    (await get(`/conversations/${name}/messages`, key())).body['messages'] as Record<string, unknown>[];
  const found = async (search: string): Promise<unknown> =>
    (await get(`/contacts/search?q=${encodeURIComponent(search)}`, key())).body['contacts'];

  it('3.12.1 accepts a user id in to for every type and delivers the message', async () => {
    const messageId = await written();
    const { userId, username } = person;
    const messages = [
      text('Hi'),
      { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } },
      { type: 'image', image: { link: 'https://example.com/a.jpg' } },
      { type: 'location', location: { latitude: 1, longitude: 2 } },
      ...['document', 'video', 'audio', 'sticker'].map((type) => ({ type, [type]: { link: 'https://example.com/a' } })),
      { type: 'contacts', contacts: [{ name: { formattedName: 'Bo Li' } }] },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'When?' },
          action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'Now' } }] },
        },
      },
      { type: 'reaction', reaction: { messageId, emoji: '👍' } },
      { ...text('To that'), context: { messageId } },
    ];
    for (const message of messages) {
      const { status, body } = await send({ to: userId, ...message });
      expect([status, body['message']]).toEqual([200, undefined]);
      expect(await eventWith({ event: 'message_status', id: body['id'], status: 'sent' })).toMatchObject({
        to: null,
        userId,
        username,
      });
      // 5.1.6
      const { body: read } = await get(`/messages/${String(body['id'])}`, key());
      expect(read['message']).toMatchObject({ to: null, userId, username, name: null });
    }
    const received = (await receivedUpstream(person.phone)).map(({ body }) => body);
    expect(received.map(({ recipient, to }) => [recipient, to])).toEqual(messages.map(() => [userId, undefined]));
    const event = await eventWith({ event: 'message_status', userId, status: 'delivered' });
    expect(await eventProblems(event as { event: string })).toBe('');
  });

  it('3.12.1 publishes the events of a user id in order and sends once per Idempotency-Key', async () => {
    await written();
    const headers = { 'idempotency-key': randomUUID() };
    const request = (): Promise<Answer> =>
      post('/messages/send', { to: person.userId, ...text('Hi') }, { ...key(), headers });
    const [first, again] = [await request(), await request()];
    expect([first.status, again.body]).toEqual([200, first.body]);
    expect(await receivedUpstream(person.phone)).toHaveLength(1);
    await eventWith({ event: 'message_status', id: first.body['id'], status: 'read' });
    const statuses = listener.about(first.body['message_id']).map((event) => 'status' in event && event.status);
    expect(statuses).toEqual(['sent', 'delivered', 'read']);
  });

  it('3.12.1 accepts a user id in a form', async () => {
    await written();
    const form = new FormData();
    form.set('to', person.userId);
    form.set('type', 'document');
    form.set('file', new Blob(['Hello'], { type: 'text/plain' }), 'hello.txt');
    const response = await fetch(`${demo.baseUrl}/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.apiKey}` },
      body: form,
    });
    const { message_id: sent } = (await response.json()) as { message_id: string };
    expect(await receivedUpstream(person.phone)).toMatchObject([{ wamid: sent, body: { recipient: person.userId } }]);
  });

  it('3.12.1 applies the service window of a user id like that of a number', async () => {
    expect(await send({ to: person.userId, ...text('Hi') })).toMatchObject({
      status: 400,
      body: { code: 'WINDOW_CLOSED' },
    });
    expect(await receivedUpstream(person.phone)).toEqual([]);
  });

  it.each(['US.', 'us.1', 'USA.1', 'US.1-2', `US.${'1'.repeat(129)}`, 'US.ENT.'])(
    '3.12.2 rejects a malformed user id: %s',
    async (to) =>
      expect(await send({ to, ...text('Hi') })).toMatchObject({ status: 422, body: { code: 'INVALID_PHONE' } }),
  );

  it('3.12.3 sends no code to a user id', async () => {
    await written();
    await done('otp', 'set', '--account', account.accountId, '--template', 'verification_code');
    const code = { type: 'text', text: '482913' };
    const components = [
      { type: 'body', parameters: [code] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [code] },
    ];
    const template = { name: 'verification_code', language: { code: 'en_US' }, components };
    expect(await send({ to: person.userId, type: 'template', template })).toMatchObject({
      status: 400,
      body: { code: 'PHONE_REQUIRED', details: [{ field: 'to' }] },
    });
    const otp = await post('/messages/send/authentication/utility', { to: person.userId, otp: '482913' }, key());
    expect(otp).toMatchObject({ status: 422, body: { code: 'INVALID_PHONE' } });
    expect(otp.body['message']).toContain('user id');
    expect(await receivedUpstream(person.phone)).toEqual([]);
  });

  describe('3.12.4 user ids in jobs', () => {
    const hello = { name: 'hello_world', language: { code: 'en_US' } };
    const recipientsOf = async (jobId: string) => (await account.api.listJobRecipients({ jobId })).recipients;
    /** Waits until the job has sent to `userId` and `other` once each, and shows both as given. */
    const reaches = async (jobId: string, userId: string, other: string): Promise<void> => {
      await eventually(async () => expect((await account.api.getJob({ jobId })).job.status).toBe('completed'));
      expect((await recipientsOf(jobId)).map(({ phone }) => phone)).toEqual([userId, other]);
      expect((await receivedUpstream(person.phone)).map(({ body }) => body['recipient'])).toEqual([userId]);
      expect((await receivedUpstream(other)).length).toBe(1);
      expect((await account.api.listJobRecipients({ jobId, phone: userId })).recipients).toHaveLength(1);
      const results = await fetch(`${demo.baseUrl}/jobs/${jobId}/results.csv`, {
        headers: { authorization: `Bearer ${account.apiKey}` },
      });
      expect(await results.text()).toContain(userId);
    };
    const upload = (customerExcel: File) =>
      account.api.sendBulkExcel({ customerExcel, templateName: 'hello_world', language: 'en_US' });
    const sheet = async (rows: string[][]): Promise<File> => {
      const book = new ExcelJS.Workbook();
      book.addWorksheet('Customers').addRows(rows);
      return new File([new Uint8Array(await book.xlsx.writeBuffer())], 'customers.xlsx');
    };

    it('3.12.4 accepts a user id in a bulk call and creates one job per Idempotency-Key', async () => {
      const other = freshPhone();
      const body = { recipients: [person.userId, { to: other }], type: 'template', template: hello };
      const headers = { 'idempotency-key': randomUUID() };
      const request = (): Promise<Answer> => post('/messages/send/bulk', body, { ...key(), headers });
      const [first, again] = [await request(), await request()];
      expect([first.status, first.body]).toMatchObject([201, { accepted: 2, rejected: 0 }]);
      expect(again.body).toEqual(first.body);
      const changed = { ...body, recipients: [person.userId] };
      expect(await post('/messages/send/bulk', changed, { ...key(), headers })).toMatchObject({ status: 422 });
      await reaches(String(first.body['jobId']), person.userId, other);
    });

    it('3.12.4 and 8.3.11 accept a user id in the phone column of a spreadsheet', async () => {
      const other = freshPhone();
      const created = await upload(await sheet([['phone'], [person.userId], [other]]));
      expect(created).toMatchObject({ accepted: 2, rejected: 0 });
      await reaches(created.jobId, person.userId, other);
    });

    it('8.3.11 accepts a user id column in a CSV file', async () => {
      const other = freshPhone();
      const created = await upload(new File([`User ID;phone\n${person.userId};\n4711;${other}\n`], 'customers.csv'));
      expect(created).toMatchObject({ accepted: 2, rejected: 0 });
      await reaches(created.jobId, person.userId, other);
    });

    it('3.12.4 rejects user ids for an authentication template', async () => {
      const code = { '1': '482913', 'button 1': '482913' };
      const template = { name: 'verification_code', language: { code: 'en_US' } };
      const recipients = [person.userId, freshPhone()].map((to) => ({ to, variables: code }));
      expect(await post('/messages/send/bulk', { recipients, type: 'template', template }, key())).toMatchObject({
        status: 201,
        body: { accepted: 1, rejected: 1, errors: [{ index: 0, phone: person.userId, code: 'PHONE_REQUIRED' }] },
      });
    });

    it('8.1.7 sends once to a contact given by number and by user id', async () => {
      await written({ ...text('Hello'), hidePhone: false });
      await eventually(async () => expect(await found(person.userId)).toMatchObject([{ phone: person.phone }]));
      const recipients = [person.phone, person.userId];
      const { body } = await post('/messages/send/bulk', { recipients, type: 'template', template: hello }, key());
      expect(body).toMatchObject({ accepted: 1, duplicates: 1 });
      await eventually(async () =>
        expect((await account.api.getJob({ jobId: String(body['jobId']) })).job.status).toBe('completed'),
      );
      expect(await receivedUpstream(person.phone)).toHaveLength(1);
    });

    it('3.12.5 erases the recipients of a contact with a hidden number', async () => {
      const { body } = await post(
        '/messages/send/bulk',
        { recipients: [person.userId], type: 'template', template: hello },
        key(),
      );
      const jobId = String(body['jobId']);
      await eventually(async () => expect((await account.api.getJob({ jobId })).job.status).toBe('completed'));
      const words = ['--account', account.accountId, '--phone', person.userId, '--yes'];
      expect(await done('contacts', 'erase', ...words)).toMatchObject({ recipients: 1 });
      expect(await recipientsOf(jobId)).toMatchObject([{ phone: null }]);
    });
  });

  it('3.12.10 shows the portfolio-wide id of a contact, and 3.12.11 accepts it', async () => {
    const wanted = { phone: person.phone, name: 'Asha R', hidePhone: true, parentUserId: true };
    const { parentUserId } = await control<{ parentUserId: string }>('POST', '/people', wanted);
    const messageId = await written();
    const event = await eventWith({ event: 'message', messageId });
    expect(event).toMatchObject({ userId: person.userId, parentUserId });
    expect(await eventProblems(event as { event: string })).toBe('');
    expect(await found(parentUserId)).toMatchObject([{ userId: person.userId, parentUserId }]);
    const { status, body } = await send({ to: parentUserId, ...text('Hi') });
    expect(status).toBe(200);
    const sent = await eventWith({ event: 'message_status', id: body['id'], status: 'delivered' });
    expect(sent).toMatchObject({ to: null, userId: parentUserId, parentUserId });
    expect(await eventProblems(sent as { event: string })).toBe('');
    expect(await thread(parentUserId)).toMatchObject([{ parentUserId }, { messageId, parentUserId }]);
    const erased = await done('contacts', 'erase', '--account', account.accountId, '--phone', parentUserId, '--yes');
    expect(erased).toMatchObject({ messages: 2 });
    expect(await found(person.userId)).toEqual([]);
  });

  it('3.12.5 creates a contact and a conversation and finds them by user id', async () => {
    const messageId = await written();
    const { userId, username } = person;
    const known = { phone: null, userId, username };
    expect(await eventWith({ event: 'message', messageId })).toMatchObject({ from: null, userId, username });
    expect(await found(userId)).toMatchObject([{ ...known, name: 'Asha R', windowOpen: true }]);
    // 7.3.2
    expect(await found(userId.slice(0, -1))).toEqual([]);
    expect((await get(`/conversations?search=${userId}`, key())).body['conversations']).toMatchObject([
      { ...known, messageCount: 1, unreadCount: 1 },
    ]);
    expect(await thread(userId)).toMatchObject([{ messageId, from: null, userId, username }]);
    expect((await get(`/messages?phone=${userId}`, key())).body['messages']).toMatchObject([{ messageId }]);
    for (const step of ['read', 'typing'])
      expect(await post(`/messages/${messageId}/${step}`, {}, key())).toMatchObject({ status: 200 });
    expect(await get(`/conversations/US.1${'0'.repeat(18)}9/messages`, key())).toMatchObject({ status: 404 });
    const erased = await done('contacts', 'erase', '--account', account.accountId, '--phone', userId, '--yes');
    expect(erased).toMatchObject({ messages: 1 });
    expect(await found(userId)).toEqual([]);
  });

  it('3.12.5 opts the contact out on STOP', async () => {
    await written(text('STOP'));
    expect(await found(person.userId)).toMatchObject([{ optedOut: true }]);
  });

  it('3.12.6 finds a username with and without @ and follows its changes', async () => {
    await written();
    const { username, userId } = person;
    for (const search of [username, `@${username}`, username.slice(2), username.toUpperCase()])
      expect(await found(search)).toMatchObject([{ userId, username }]);
    await control('POST', '/people', {
      phone: person.phone,
      name: 'Asha R',
      username: `new${username}`,
      hidePhone: true,
    });
    await written();
    expect(await found(`@${username}`)).toEqual([]);
    expect(await found(`@new${username}`)).toMatchObject([{ userId }]);
  });

  it('3.12.7 merges contact and conversation with those of a number shared later', async () => {
    const { phone, userId } = person;
    const first = await send({
      to: phone,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    await written();
    await send({ to: userId, ...text('Hi') });
    expect(await found(userId)).toMatchObject([{ phone: null, userId }]);
    await written({ ...text('My number'), hidePhone: false });
    expect(await found(userId)).toMatchObject([{ phone, userId }]);
    expect(await found(phone)).toEqual(await found(userId));
    // Messages already sent can still be delivered and read.
    await eventually(async () => {
      const all = await thread(phone);
      expect(all.length).toBe(4);
      expect(all.some(({ id }) => id === first.body['id'])).toBe(true);
      expect(await thread(userId)).toEqual(all);
    });
  });

  it.each(['an interactive message', 'a template'])(
    '3.12.8 asks for the number by %s, and 3.12.9 stores the reply',
    async (kind) => {
      await written();
      const { phone, userId } = person;
      const interactive = {
        type: 'request_contact_info',
        body: { text: 'May we have your number?' },
        action: { name: 'request_contact_info' },
      };
      const message =
        kind === 'a template'
          ? { type: 'template', template: { name: asking, language: { code: 'en_US' } } }
          : { type: 'interactive', interactive };
      const { status, body } = await send({ to: userId, ...message });
      expect(status).toBe(200);
      const [{ body: wire } = { body: {} as Record<string, unknown> }] = await receivedUpstream(phone);
      if (kind === 'a template') expect(wire['template']).not.toHaveProperty('components');
      else expect(wire['interactive']).toEqual(interactive);
      const { messageId } = await control<{ messageId: string }>('POST', '/press', {
        messageId: body['message_id'],
        id: 'request_contact_info',
      });
      expect(await eventWith({ event: 'message', messageId })).toMatchObject({
        from: null,
        userId,
        type: 'contacts',
        contacts: [{ origin: 'contact_request', phones: [{ phone: `+${phone}` }] }],
        context: { messageId: body['message_id'] },
      });
      expect(await found(userId)).toMatchObject([{ phone, userId }]);
      expect(await thread(phone)).toHaveLength(3);
    },
  );

  it('3.12.9 ignores the contact card of another contact', async () => {
    const contacts = [{ name: { formatted_name: 'Bo Li' }, phones: [{ phone: `+${freshPhone()}` }] }];
    await written({ type: 'contacts', contacts });
    expect(await found(person.userId)).toMatchObject([{ phone: null }]);
  });

  it('3.12.5 finds no user id of another account', async () => {
    await written();
    const stranger = await newAccount('Hidden numbers, another account');
    const asStranger = { apiKey: stranger.apiKey };
    expect(await get(`/conversations/${person.userId}/messages`, asStranger)).toMatchObject({ status: 404 });
    expect((await get(`/contacts/search?q=${person.userId}`, asStranger)).body['contacts']).toEqual([]);
    expect((await get(`/contacts/search?q=@${person.username}`, asStranger)).body['contacts']).toEqual([]);
    expect(await post('/messages/send', { to: person.userId, ...text('Hi') }, asStranger)).toMatchObject({
      status: 400,
      body: { code: 'WINDOW_CLOSED' },
    });
  }, 60_000);
});
