import { eventually } from '@switchboard/testing';
import {
  ACCESS_TOKEN,
  helloWorld,
  PHONE_NUMBER_ID,
  startSimulator,
  type StartedSimulator,
  text,
} from './start-simulator';

const SECOND = { id: '200000000000003', phoneNumber: '15550783882', wabaId: '100000000000002' };
const OTHER = { id: '200000000000004', phoneNumber: '15550783883', wabaId: '100000000000003' };
const PORTFOLIO = '300000000000001';

describe('the messaging limit of a portfolio', () => {
  let simulator: StartedSimulator;

  beforeEach(async () => {
    simulator = await startSimulator({ portfolio: { enforced: true, raiseMs: 3_600_000 } });
    await simulator.control('numbers', { ...SECOND, portfolioId: PORTFOLIO });
    await simulator.control('numbers', { ...OTHER, portfolioId: '300000000000009' });
    await simulator.control('numbers/15550783881/tier', { tier: 'TIER_250' });
  });
  afterEach(() => simulator.close());

  const sendFrom = (phoneNumberId: string, person: number, body: object = helloWorld) =>
    simulator.client.sendMessage({
      phoneNumberId,
      accessToken: ACCESS_TOKEN,
      body: { ...helloWorld, ...body, to: String(919_800_000_000 + person) },
    });

  it('counts each contact once across all numbers', async () => {
    for (let person = 0; person < 250; person += 1)
      await sendFrom(person % 2 === 0 ? PHONE_NUMBER_ID : SECOND.id, person);
    await sendFrom(SECOND.id, 0);
    await expect(sendFrom(SECOND.id, 250)).rejects.toMatchObject({ code: 131048 });
    await expect(sendFrom(PHONE_NUMBER_ID, 251)).rejects.toMatchObject({ code: 131048 });
    await expect(sendFrom(OTHER.id, 250)).resolves.toBeDefined();
    await simulator.control('inbound', { from: '919800000252', type: 'text', text: 'Hi' });
    await expect(sendFrom(PHONE_NUMBER_ID, 252, text)).resolves.toBeDefined();
  });

  it('is reported with its portfolio and tier', async () => {
    const business = await simulator.graph('GET', `${SECOND.wabaId}?fields=id,owner_business_info`);
    expect(business.body).toMatchObject({ owner_business_info: { id: PORTFOLIO } });
    const tierOf = async (id: string) =>
      (await simulator.graph('GET', `${id}?fields=whatsapp_business_manager_messaging_limit`)).body;
    expect(await tierOf(SECOND.id)).toMatchObject({ whatsapp_business_manager_messaging_limit: 'TIER_250' });
    expect(await tierOf(OTHER.id)).toMatchObject({ whatsapp_business_manager_messaging_limit: 'TIER_2K' });
  });
});

it('raises the messaging limit after high usage', async () => {
  const simulator = await startSimulator({ portfolio: { enforced: true, raiseMs: 50 } });
  try {
    await simulator.control('numbers/15550783881/tier', { tier: 'TIER_250' });
    for (let person = 0; person < 125; person += 1) await simulator.send({ to: String(919_800_000_000 + person) });
    await eventually(() =>
      expect(simulator.changes('business_capability_update')).toEqual([
        { max_daily_conversations_per_business: 'TIER_2K' },
      ]),
    );
  } finally {
    await simulator.close();
  }
});
