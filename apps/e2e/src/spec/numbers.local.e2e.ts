import { eventually } from '@switchboard/testing';
import { addNumber, newAccount, type TestAccount } from '../support/account';
import { type Answer, get, post } from '../support/api';
import { done } from '../support/installation';
import { freshPhone, receivedUpstream, writeIn } from '../support/simulator';
import { approved } from '../support/templates';

/** Magic number of the simulator. A send to it is rejected because of invalid credentials. */
const REFUSES_CREDENTIALS = '15005550190';
const TEMPLATE = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } };

describe('chapters 3 and 7: business numbers', () => {
  let account: TestAccount;
  let second: string;

  beforeAll(async () => {
    account = await newAccount('Numbers of the specification');
    second = (await addNumber(account.accountId)).phoneNumber;
    await approved(account, ['hello_world']);
  }, 90_000);

  const call = (path: string, body: object): Promise<Answer> => post(path, body, { apiKey: account.apiKey });
  const read = async <Body>(path: string): Promise<Body> => (await get(path, { apiKey: account.apiKey })).body as Body;
  const statusOf = async (phoneNumber: string): Promise<string | undefined> =>
    (await read<{ numbers: { phoneNumber: string; status: string }[] }>('/me')).numbers.find(
      (number) => number.phoneNumber === phoneNumber,
    )?.status;

  it("7.3.6 shows a contact's window per business number, as enforced for sends", async () => {
    const to = freshPhone();
    const first = account.phoneNumber;
    const textFrom = async (from: string): Promise<unknown> =>
      (await call('/messages/send', { to, from, type: 'text', text: { body: 'x' } })).body['code'] ?? 'sent';
    const shown = async (): Promise<object> =>
      (await read<{ contacts: [object] }>(`/contacts/search?q=${to}`)).contacts[0];
    const open = (phoneNumber: string): object => ({
      phoneNumber,
      open: true,
      expiresAt: expect.stringMatching(/Z$/) as string,
    });

    await writeIn(to, 'Hello', { to: second });
    await eventually(async () => expect(await shown()).toMatchObject({ windowOpen: true, windows: [open(second)] }));
    expect([await textFrom(first), await textFrom(second)]).toEqual(['WINDOW_CLOSED', 'sent']);

    await writeIn(to, 'Hello', { to: first });
    await eventually(async () => expect(await shown()).toMatchObject({ windows: [first, second].sort().map(open) }));
    expect([await textFrom(first), await textFrom(second)]).toEqual(['sent', 'sent']);
    expect(await read('/conversations')).toMatchObject({
      conversations: [{ phone: to, windowOpen: true, windows: [first, second].sort().map(open) }],
    });
  }, 60_000);

  it('7.6.2 shows the enforced features and limits in /me', async () => {
    const { accountId, apiKey, api } = await newAccount('Features and limits');
    await approved({ accountId, apiKey, api } as TestAccount, ['hello_world']);
    const override = (...words: string[]) => done('accounts', 'override', '--account', accountId, ...words);
    const plan = async (): Promise<object> => (await api.getMe()).plan;
    const phones = (count: number): string[] => Array.from({ length: count }, freshPhone);
    const answerOf = async (path: string, body: object): Promise<unknown> => {
      const answer = await post(path, body, { apiKey });
      return answer.body['code'] ?? answer.status;
    };
    const link = 'https://example.com/a.png';
    const bulk = (count: number) => answerOf('/messages/send/bulk', { ...TEMPLATE, recipients: phones(count) });
    const sheet = (count: number): Promise<unknown> => {
      const customerExcel = new File([['phone', ...phones(count)].join('\n')], 'customers.csv');
      return api.sendBulkExcel({ customerExcel, templateName: 'hello_world', language: 'en_US' }).then(
        () => 201,
        ({ code }: { code: string }) => code,
      );
    };

    await override('--bulk-recipients', '3', '--excel-rows', '2');
    await eventually(async () => expect(await plan()).toMatchObject({ limits: { bulkRecipients: 3, excelRows: 2 } }));
    expect([await bulk(3), await bulk(4)]).toEqual([201, 'BULK_LIMIT_EXCEEDED']);
    expect([await sheet(2), await sheet(3)]).toEqual([201, 'BULK_LIMIT_EXCEEDED']);

    const to = freshPhone();
    const answers = async (): Promise<object> => ({
      BULK_MSG_LIMIT: await bulk(1),
      BULK_EXCEL: await sheet(1),
      MEDIA: await answerOf('/messages/send', { to, type: 'image', image: { link } }),
      THIRD_PARTY_API: await answerOf('/messages/send/authentication/utility', { to, otp: '482913' }),
    });
    const open = {
      BULK_MSG_LIMIT: 201,
      BULK_EXCEL: 201,
      MEDIA: 'WINDOW_CLOSED',
      THIRD_PARTY_API: 'TEMPLATE_NOT_FOUND',
    };
    expect(await answers()).toEqual(open);
    for (const feature of Object.keys(open)) {
      await override('--remove-feature', feature);
      const features = Object.keys(open).filter((other) => other !== feature);
      await eventually(async () => expect(await plan()).toMatchObject({ features }));
      expect(await answers()).toEqual({ ...open, [feature]: 'FEATURE_NOT_IN_PLAN' });
    }
  }, 120_000);

  it('3.1.5 sends from the selected number, or from the primary one', async () => {
    const first = account.phoneNumber;
    for (const [from, sender] of [
      [undefined, first],
      [first, first],
      [second, second],
    ]) {
      const { status, body } = await call('/messages/send', { to: freshPhone(), from, ...TEMPLATE });
      expect(status).toBe(200);
      expect(await read(`/messages/${String(body['id'])}`)).toMatchObject({ message: { from: sender } });
    }
  });

  describe('with a stopped number', () => {
    let started: string | undefined;

    beforeAll(async () => {
      started = await statusOf(second);
      expect(await call('/messages/send', { to: REFUSES_CREDENTIALS, from: second, ...TEMPLATE })).toMatchObject({
        status: 502,
        body: { code: 'UPSTREAM_ERROR' },
      });
    });
    afterAll(() => done('numbers', 'resume', '--account', account.accountId, '--phone-number', second));

    it('3.8.4 returns 409 NUMBER_STOPPED with the reason and sends an event', async () => {
      const to = freshPhone();
      const refused = {
        status: 409,
        body: {
          code: 'NUMBER_STOPPED',
          message: expect.stringMatching(/^the business number is stopped: 190 ./) as string,
        },
      };
      expect(await call('/messages/send', { to, from: second, ...TEMPLATE })).toMatchObject(refused);
      expect(await call('/messages/send/bulk', { recipients: [to], from: second, ...TEMPLATE })).toMatchObject(refused);
      expect(await receivedUpstream(to)).toEqual([]);
      expect(await read(`/messages?phone=${to}`)).toMatchObject({ messages: [] });
      const entry = {
        actor: 'messaging',
        action: 'number.stop',
        target: second,
        details: { reason: expect.stringMatching(/^190 ./) as string },
      };
      await eventually(async () =>
        expect(
          (await done('audit', 'list', '--account', account.accountId, '--action', 'number.stop'))['entries'],
        ).toMatchObject([entry]),
      );

      expect((await call('/messages/send', { to, ...TEMPLATE })).status).toBe(200);
      await done('numbers', 'resume', '--account', account.accountId, '--phone-number', second);
      expect((await call('/messages/send', { to, from: second, ...TEMPLATE })).status).toBe(200);
      expect(await receivedUpstream(to)).toHaveLength(2);
    }, 60_000);

    it('7.6.3 shows the status of a stopped number in /me until it resumes', async () => {
      await call('/messages/send', { to: REFUSES_CREDENTIALS, from: second, ...TEMPLATE });
      expect([await statusOf(account.phoneNumber), await statusOf(second)]).toEqual([started, 'STOPPED']);
      await done('numbers', 'resume', '--account', account.accountId, '--phone-number', second);
      expect(await statusOf(second)).toBe(started);
    }, 60_000);
  });
});
