import { randomInt } from 'node:crypto';
import { acceptingChallenge, eventually, startReceiver } from '@switchboard/testing';
import { verifyWebhook } from '@switchboard/client';
import { clientOf } from './support/api';
import { doneWith, upstreamToken } from './support/installation';
import { control, freshPhone, receivedUpstream } from './support/simulator';

interface SetUp {
  accountId: string;
  password?: string;
  apiKey?: string;
  webhookSecret?: string;
  steps: { step: string; outcome: string; detail: string }[];
}

const outcomesOf = ({ steps }: SetUp) => Object.fromEntries(steps.map(({ step, outcome }) => [step, outcome]));

it('sets up an account to a delivered message and webhook, idempotently', async () => {
  const [phoneNumber, wabaId, to] = [
    `1555${randomInt(1_000_000, 9_999_999)}`,
    String(randomInt(1e11, 2e11)),
    freshPhone(),
  ];
  await control('POST', '/numbers', { id: `9${phoneNumber}`, phoneNumber, wabaId, registered: false });
  const receiver = await startReceiver();
  receiver.respondWith(acceptingChallenge('verify-me'));
  const secrets = {
    UPSTREAM_ACCESS_TOKEN: upstreamToken,
    UPSTREAM_NUMBER_PIN: '482913',
    WEBHOOK_VERIFY_TOKEN: 'verify-me',
  };
  const owner = ['--name', `Set up ${phoneNumber}`, '--email', `owner-${phoneNumber}@shop.example`];
  const number = ['--waba-id', wabaId, '--phone-number', phoneNumber];
  const setUp = async () =>
    (await doneWith(
      secrets,
      'setup',
      ...owner,
      ...number,
      '--webhook-url',
      `${receiver.url}/hook`,
      '--to',
      to,
    )) as unknown as SetUp;

  const first = await setUp();
  expect(Object.values(outcomesOf(first))).toEqual(Array(6).fill('done'));
  expect(first.steps.at(-1)?.detail).toMatch(new RegExp(`^msg_\\w+ to ${to}, (delivered|read)$`));
  expect(await receivedUpstream(to)).toMatchObject([{ body: { template: { name: 'hello_world' } } }]);
  expect(await clientOf(String(first.apiKey)).getMe()).toMatchObject({
    account: { id: first.accountId },
    numbers: [{ phoneNumber }],
  });
  await eventually(() => {
    const events = receiver.received
      .filter(({ method }) => method === 'POST')
      .map(({ body, headers }) => verifyWebhook(body, headers, String(first.webhookSecret)));
    expect(events.map(({ event }) => event)).toContain('message_status');
  });

  const again = await setUp();
  expect(Object.values(outcomesOf(again))).toEqual(Array(6).fill('unchanged'));
  expect([again.accountId, again.password, again.apiKey, again.webhookSecret]).toEqual([
    first.accountId,
    undefined,
    undefined,
    undefined,
  ]);
  expect(await receivedUpstream(to)).toHaveLength(1);
}, 120_000);
