import { eventually } from '@switchboard/testing';
import { ACCESS_TOKEN, PHONE_NUMBER_ID, startSimulator, type StartedSimulator, text } from './start-simulator';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const body = (suffix: string) => ({ ...text, to: `15005550${suffix}`, biz_opaque_callback_data: 'msg_01' });
const send = (suffix: string) =>
  simulator.client.sendMessage({
    phoneNumberId: PHONE_NUMBER_ID,
    accessToken: ACCESS_TOKEN,
    body: body(suffix),
    signal: AbortSignal.timeout(500),
  });
const statuses = () => simulator.statuses().map(({ status, errors }) => status + (errors?.[0]?.code ?? ''));

describe('a magic number', () => {
  it.each([
    ['100', ['sent', 'delivered', 'read']],
    ['101', ['sent', 'delivered']],
    ['102', ['sent', 'read']],
    ['103', ['sent']],
    ['104', ['sent', 'failed131026']],
    ['110', ['sent', 'sent', 'delivered', 'delivered', 'read', 'read']],
    ['126', ['failed131026']],
    ['147', ['failed131047']],
    ['149', ['failed131049']],
    ['153', ['failed131053']],
  ])('…%s gets the statuses %j, regardless of the 24-hour window', async (suffix, wanted) => {
    await send(suffix);
    await eventually(() => expect(statuses()).toEqual(wanted));
  });

  it.each([
    ['129', 130429, 'rate_limit'],
    ['156', 131056, 'rate_limit'],
    ['116', 131016, 'other'],
    ['190', 190, 'auth'],
  ])('…%s is rejected with %d', async (suffix, code, category) => {
    await expect(send(suffix)).rejects.toMatchObject({ kind: 'rejected', code, category });
    expect(await simulator.control('summary')).toMatchObject({ accepted: 0 });
  });

  it.each([
    ['105', 1],
    ['106', 1],
    ['107', 0],
    ['108', 1],
  ])('…%s gets no response in time, with %d accepted messages', async (suffix, accepted) => {
    await expect(send(suffix)).rejects.toMatchObject({ kind: 'unknown-outcome' });
    expect(await simulator.control('summary')).toMatchObject({ accepted });
    if (accepted) await eventually(() => expect(statuses()).toEqual(['sent', 'delivered', 'read']));
  });

  it.each([
    ['109', 200],
    ['115', 502],
  ])('…%s is accepted and delivered, but returns %i without an outcome', async (suffix, httpStatus) => {
    await expect(send(suffix)).rejects.toMatchObject({ kind: 'unknown-outcome', httpStatus, wasReceived: true });
    await eventually(() => expect(statuses()).toEqual(['sent', 'delivered', 'read']));
  });

  it('…117 is rejected by a proxy', async () => {
    await expect(send('117')).rejects.toMatchObject({ kind: 'rejected', category: 'rate_limit', httpStatus: 429 });
    expect(await simulator.control('summary')).toMatchObject({ accepted: 0 });
  });

  it('…112 gets its first status before the response, …111 in any order', async () => {
    const { messageId } = await send('112');
    expect(simulator.statuses()).toMatchObject([{ id: messageId, status: 'sent' }]);
    await send('111');
    await eventually(() => expect(statuses().length).toBe(6));
  });

  it('…113 gets no status', async () => {
    await send('113');
    await eventually(async () =>
      expect(await simulator.control('summary')).toMatchObject({ callbacks: { lost: 3, delivered: 0, pending: 0 } }),
    );
  });

  it('is listed with its outcome', async () => {
    const { numbers } = await simulator.control<{ numbers: { phone: string; does: string }[] }>('magic');
    expect(numbers).toContainEqual({ phone: '15005550149', does: 'fails with 131049: one marketing message too many' });
    expect(new Set(numbers.map(({ phone }) => phone)).size).toBe(numbers.length);
  });
});

describe('rate limits', () => {
  it('are off until enabled, and off again after a reset', async () => {
    const burst = async () => {
      const results = await Promise.allSettled(Array.from({ length: 50 }, () => simulator.send()));
      return results.flatMap((result) =>
        result.status === 'rejected' ? [(result.reason as { code: number }).code] : [],
      );
    };
    expect(await burst()).toEqual([]);
    await simulator.control('limits', { pair: true });
    expect(await burst()).toEqual([131056, 131056, 131056, 131056, 131056]);
    await simulator.control('reset', {});
    expect(await burst()).toEqual([]);
  });
});
