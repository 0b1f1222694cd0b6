import { eventually } from '@switchboard/testing';
import { CUSTOMER, helloWorld, PHONE_NUMBER_ID, startSimulator, type StartedSimulator, text } from './start-simulator';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const statusesOf = (wamid: string): string[] =>
  simulator
    .statuses()
    .filter(({ id }) => id === wamid)
    .map(({ status }) => status);

describe('an accepted template', () => {
  it('gets sent, delivered and read, signed, with opaque id and pricing', async () => {
    const wamid = await simulator.send({ biz_opaque_callback_data: 'msg_01' });
    await eventually(() => expect(statusesOf(wamid)).toEqual(['sent', 'delivered', 'read']));
    expect(simulator.statuses()[0]).toEqual({
      id: wamid,
      status: 'sent',
      timestamp: expect.stringMatching(/^\d{10}$/),
      recipient_id: CUSTOMER,
      recipient_user_id: expect.stringMatching(/^IN\./),
      biz_opaque_callback_data: 'msg_01',
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    });
    expect(simulator.statuses()[2]).not.toHaveProperty('pricing');
  });

  it('is listed by the control API and counted per opaque id', async () => {
    const wamid = await simulator.send({ biz_opaque_callback_data: 'msg_01:order-7' });
    await simulator.send({ biz_opaque_callback_data: 'msg_01:order-7' });
    await simulator.send({ biz_opaque_callback_data: 'msg_02' });
    const { messages } = await simulator.control<{ messages: object[] }>('messages?clientRef=order-7');
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({
      wamid,
      to: CUSTOMER,
      type: 'template',
      opaque: 'msg_01:order-7',
      count: 2,
      body: { to: `+${CUSTOMER}`, template: helloWorld.template },
    });
    expect(await simulator.control('summary')).toMatchObject({ accepted: 3, distinct: 2, doubled: 1 });
  });
});

describe('a text message', () => {
  it('is accepted outside the 24-hour window, then fails with 131047', async () => {
    const wamid = await simulator.send(text);
    await eventually(() => expect(statusesOf(wamid)).toEqual(['failed']));
    expect(simulator.statuses()[0]?.errors?.[0]).toMatchObject({ code: 131047, title: 'Re-engagement message' });
    const value = JSON.parse(simulator.receiver.received[0]!.body.toString()).entry[0].changes[0].value as object;
    expect(value).not.toHaveProperty('contacts');
  });

  it('is delivered once the customer has written', async () => {
    const { messageId } = await simulator.control<{ messageId: string }>('inbound', {
      from: CUSTOMER,
      type: 'text',
      text: 'Hello',
      name: 'Asha R',
    });
    expect(messageId).toMatch(/^wamid\./);
    const wamid = await simulator.send(text);
    await eventually(() => expect(statusesOf(wamid)).toEqual(['sent', 'delivered', 'read']));
    expect(simulator.statuses()[0]?.pricing).toMatchObject({
      category: 'service',
      type: 'free_customer_service',
      billable: false,
    });
  });
});

it('misroutes a number without a plus, as the platform does', async () => {
  const answer = await fetch(`${simulator.url}/v24.0/${PHONE_NUMBER_ID}/messages`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-access-token', 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', ...helloWorld, to: '9812345678' }),
  });
  expect(await answer.json()).toMatchObject({
    contacts: [{ input: '9812345678', wa_id: '19812345678' }],
    messages: [{ message_status: 'accepted' }],
  });
});
