import { eventually } from '@switchboard/testing';
import { ACCESS_TOKEN, PHONE_NUMBER_ID, startSimulator, type StartedSimulator, text } from './start-simulator';

let simulator: StartedSimulator;
afterEach(() => simulator.close());

describe('the control API', () => {
  it('accepts only JSON requests from this host', async () => {
    simulator = await startSimulator();
    const post = (headers: Record<string, string>) =>
      fetch(`${simulator.url}/_control/reset`, { method: 'POST', headers, body: '{}' });
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post({ 'content-type': 'application/json', origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ 'content-type': 'application/json' })).status).toBe(200);
  });

  it('adds numbers that send, receive and have separate limits', async () => {
    simulator = await startSimulator();
    const added = { id: '200000000000003', phoneNumber: '+442071838750', verifiedName: 'Second' };
    expect(await simulator.control('numbers', added)).toMatchObject({
      id: added.id,
      display_phone_number: '+442071838750',
      quality_rating: 'GREEN',
    });
    await expect(simulator.control('numbers', added)).rejects.toThrow('HTTP 409');
    await simulator.control('inbound', { from: '15550002222', to: '442071838750', text: 'Hi' });
    const sent = (phoneNumberId: string) =>
      simulator.client.sendMessage({ phoneNumberId, accessToken: ACCESS_TOKEN, body: { ...text, to: '15550002222' } });
    const [open, closed] = [await sent(added.id), await sent(PHONE_NUMBER_ID)];
    const statusesOf = (wamid: string) =>
      simulator
        .statuses()
        .filter(({ id }) => id === wamid)
        .map(({ status }) => status);
    await eventually(() =>
      expect([statusesOf(open.messageId), statusesOf(closed.messageId)]).toEqual([
        ['sent', 'delivered', 'read'],
        ['failed'],
      ]),
    );
  });

  it('changes throughput, tier and quality, and reports the changes', async () => {
    simulator = await startSimulator();
    await simulator.control('numbers/15550783881/throughput', { level: 'HIGH' });
    await simulator.control('numbers/15550783881/tier', { tier: 'TIER_UNLIMITED' });
    await simulator.control('numbers/15550783881/quality', { rating: 'RED', event: 'FLAGGED' });
    await eventually(() =>
      expect(simulator.changes('phone_number_quality_update')).toMatchObject([
        { display_phone_number: '15550783881', event: 'THROUGHPUT_UPGRADE', current_limit: 'TIER_2K' },
        { event: 'FLAGGED', current_limit: 'TIER_UNLIMITED' },
      ]),
    );
    expect((await simulator.graph('GET', `${PHONE_NUMBER_ID}?fields=throughput,quality_rating`)).body).toEqual({
      id: PHONE_NUMBER_ID,
      throughput: { level: 'HIGH' },
      quality_rating: 'RED',
    });
  });

  it('reports account changes, and arbitrary values in any field', async () => {
    simulator = await startSimulator();
    await simulator.control('account', {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }],
    });
    await simulator.control('callbacks', {
      field: 'business_capability_update',
      value: { max_daily_conversations_per_business: 1_000 },
    });
    await simulator.control('callbacks', { field: 'messages', value: { errors: [{ code: 130429 }] } });
    await eventually(() =>
      expect(simulator.changes('messages')).toMatchObject([
        { messaging_product: 'whatsapp', metadata: { phone_number_id: PHONE_NUMBER_ID }, errors: [{ code: 130429 }] },
      ]),
    );
    expect(simulator.changes('account_update')).toEqual([
      { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }] },
    ]);
    expect(simulator.changes('business_capability_update')).toEqual([{ max_daily_conversations_per_business: 1_000 }]);
  });
});

it('serves its page, style and script without foreign origins', async () => {
  simulator = await startSimulator();
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/page.css', 'text/css'],
    ['/page.js', 'text/javascript'],
  ]) {
    const answer = await fetch(simulator.url + path);
    const content = await answer.text();
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(content).not.toMatch(/https?:\/\//);
    expect(content).not.toMatch(/<\/?(script|style)>\s*$/);
  }
});
