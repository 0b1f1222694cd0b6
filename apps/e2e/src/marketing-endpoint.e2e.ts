import { eventually } from '@switchboard/testing';
import { addNumber, newBareAccount, newBusiness } from './support/account';
import { clientOf } from './support/api';
import { attempt, done } from './support/installation';
import { control, freshPhone, receivedUpstream } from './support/simulator';
import { createTemplate } from './support/templates';
import { listenFor, type Listener } from './support/webhooks';

/** Each operator command is a process, which takes seconds on a busy machine. */
const COMMANDS_MS = 240_000;

describe("the platform's marketing endpoint", () => {
  let accountId: string;
  let api: ReturnType<typeof clientOf>;
  let listener: Listener;
  let phoneNumber: string;
  let offer: { name: string; language: { code: string } };
  /** Separate business account, because other tests share theirs. */
  let wabaId: string;

  beforeAll(async () => {
    ({ accountId } = await newBareAccount('Marketing endpoint'));
    wabaId = await newBusiness();
    const [key, { name }] = await Promise.all([
      done('keys', 'create', '--account', accountId, '--name', 'test'),
      createTemplate([{ type: 'BODY', text: 'Our sale starts today.' }], { category: 'MARKETING', wabaId }),
    ]);
    api = clientOf(String(key['apiKey']));
    offer = { name, language: { code: 'en_US' } };
    ({ phoneNumber } = await addNumber(accountId, wabaId));
    listener = await listenFor(accountId);
  }, COMMANDS_MS);
  afterAll(async () => {
    await listener.receiver.close();
  });

  const marketing = (status: string, more: object = {}) =>
    control('POST', `/businesses/${wabaId}/marketing`, { status, ...more });
  const send = async (to: string) =>
    // Retry until the template is approved and known.
    eventually(() => api.sendMessage({ to, from: phoneNumber, type: 'template', template: offer }), {
      timeoutMs: 30_000,
    });
  const bodiesTo = async (to: string) => (await receivedUpstream(to)).map(({ body }) => body);
  const priceOf = (id: string) =>
    eventually(async () => {
      const { messages } = await api.listMessages({ direction: 'outbound' });
      const price = messages.find((message) => message.id === id)?.pricing;
      expect(price).toBeTruthy();
      return price;
    });

  it(
    'is used if business and account enable it, until it rejects a send',
    async () => {
      await marketing('ONBOARDED');
      const plain = freshPhone();
      const { id: first } = await send(plain);
      expect(await bodiesTo(plain)).toEqual([expect.not.objectContaining({ product_policy: expect.anything() })]);
      expect(await priceOf(first)).toMatchObject({ category: 'marketing' });

      expect(await done('settings', 'set', '--account', accountId, '--marketing-endpoint', 'on')).toMatchObject({
        marketingEndpoint: 'on',
      });
      // The callback about the terms triggers a read of the number.
      let taken = { id: '', message_id: '' };
      await eventually(
        async () => {
          const to = freshPhone();
          taken = await send(to);
          expect(await bodiesTo(to)).toMatchObject([{ product_policy: 'CLOUD_API_FALLBACK', template: offer }]);
        },
        { timeoutMs: 30_000 },
      );
      expect(await priceOf(taken.id)).toMatchObject({ category: 'marketing_lite', billable: true });
      await eventually(() =>
        expect(listener.about(taken.message_id).slice(0, 2)).toMatchObject([
          { status: 'sent', pricing: { category: 'marketing_lite' } },
          { status: 'delivered' },
        ]),
      );

      await marketing('ONBOARDED', { failsWith: 131055 });
      const refused = freshPhone();
      await send(refused);
      expect(await bodiesTo(refused)).toEqual([expect.not.objectContaining({ product_policy: expect.anything() })]);
    },
    COMMANDS_MS,
  );

  it(
    'appears in the check of a number as optional',
    async () => {
      await marketing('ELIGIBLE');
      const { json } = await attempt('numbers', 'check', '--account', accountId, '--phone-number', phoneNumber);
      const checks = json['checks'] as { check: string; state: string; found: string }[];
      expect(checks.find(({ check }) => check === 'marketing')).toMatchObject({
        state: 'ok',
        found: 'The business is not onboarded to the Marketing Messages API (ELIGIBLE).',
      });
    },
    COMMANDS_MS,
  );
});
