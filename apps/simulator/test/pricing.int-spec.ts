import { eventually } from '@switchboard/testing';
import { CUSTOMER, startSimulator, type StartedSimulator, text, WABA_ID } from './start-simulator';

describe('simulated pricing', () => {
  let simulator: StartedSimulator;
  beforeEach(async () => {
    simulator = await startSimulator({ pricing: { date: new Date('2026-10-01'), freeServiceMessages: 1 } });
  });
  afterEach(() => simulator.close());

  const writeIn = (more: object = {}) => simulator.control('inbound', { from: CUSTOMER, text: 'Hello', ...more });
  const firstStatusOf = async (body: object) => {
    const wamid = await simulator.send(body);
    return eventually(() => {
      const status = simulator.statuses().find(({ id }) => id === wamid);
      expect(status).toBeDefined();
      return status;
    });
  };

  it('follows the date and the allowance', async () => {
    await writeIn();
    expect((await firstStatusOf(text))?.pricing).toMatchObject({ type: 'free_customer_service', category: 'service' });
    expect((await firstStatusOf(text))?.pricing).toMatchObject({ billable: true, type: 'regular' });
    expect((await firstStatusOf({}))?.pricing).toMatchObject({ billable: true, category: 'utility' });
    expect(await simulator.control('pricing', { date: '2026-09-30' })).toMatchObject({ freeServiceMessages: 1 });
    expect((await firstStatusOf(text))?.pricing).toMatchObject({ billable: false, type: 'free_customer_service' });
    expect((await firstStatusOf({}))?.pricing).toMatchObject({ billable: false, category: 'utility' });
    await simulator.control('pricing', {});
    expect((await firstStatusOf({}))?.pricing).toMatchObject({ billable: true });
    for (const wrong of [{ date: 'soon' }, { freeServiceMessages: -1 }])
      await expect(simulator.control('pricing', wrong)).rejects.toThrow('HTTP 400');
  });

  it('allows only free messages while the business cannot pay', async () => {
    await writeIn();
    await firstStatusOf(text); // uses the allowance
    await simulator.control(`businesses/${WABA_ID}/payment`, { valid: false });
    for (const body of [text, {}])
      expect(await firstStatusOf(body)).toMatchObject({ status: 'failed', errors: [{ code: 131042 }] });
    await writeIn({ referral: { source_type: 'ad', source_id: '1' } });
    for (const body of [text, {}])
      expect(await firstStatusOf(body)).toMatchObject({ status: 'sent', pricing: { type: 'free_entry_point' } });
    await expect(simulator.control(`businesses/${WABA_ID}/payment`, {})).rejects.toThrow('HTTP 400');
    await expect(simulator.control('businesses/1/payment', { valid: true })).rejects.toThrow('HTTP 404');
  });
});
