import { eventually } from '@switchboard/testing';
import { CUSTOMER, PHONE_NUMBER_ID, startSimulator, type StartedSimulator } from './start-simulator';

const NUMBER = '15550783881';
const body = { text: 'Shall we?' };
const flow = (parameters: object = {}, more: object = {}) => ({
  type: 'flow',
  body,
  action: {
    name: 'flow',
    parameters: { flow_message_version: '3', flow_id: '11', flow_cta: 'Book', flow_token: 't1', ...parameters },
  },
  ...more,
});
const question = (type: string, name: string, more: object = {}) => ({ type, body, action: { name }, ...more });
const LOCATION = question('location_request_message', 'send_location');
const CALLS = question('call_permission_request', 'call_permission_request');
const PRODUCT = { type: 'product', action: { catalog_id: '1948', product_retailer_id: 'SKU-17' } };
const items = (count: number) => Array.from({ length: count }, (_, at) => ({ product_retailer_id: `SKU-${at}` }));
const header = { type: 'text', text: 'New' };
const products = (sections: unknown, more: object = {}) => ({
  type: 'product_list',
  header,
  body,
  action: { catalog_id: '1948', sections },
  ...more,
});

describe('interactive messages', () => {
  let simulator: StartedSimulator;
  beforeAll(async () => {
    simulator = await startSimulator();
    await simulator.control('inbound', { from: CUSTOMER, name: 'Asha R', text: 'Hello' });
  });
  afterAll(() => simulator.close());

  const send = (interactive: object) =>
    simulator.graph('POST', `${PHONE_NUMBER_ID}/messages`, {
      messaging_product: 'whatsapp',
      to: `+${CUSTOMER}`,
      type: 'interactive',
      interactive,
    });
  const accepted = async (interactive: object): Promise<string> => {
    const { status, body: answer } = await send(interactive);
    expect({ status, error: answer.error }).toEqual({ status: 200, error: undefined });
    return (answer.messages as { id: string }[])[0]?.id ?? '';
  };
  const replyTo = (messageId: string) =>
    eventually(() => {
      const messages = simulator.changes('messages').flatMap(({ messages: some = [] }) => some as object[]);
      const replies = messages.filter((each) => 'context' in each && (each.context as { id: string }).id === messageId);
      expect(replies).toHaveLength(1);
      return replies[0];
    });

  it.each<[string, object]>([
    ['a flow by name', flow({ flow_id: undefined, flow_name: 'booking', mode: 'draft' }, { header, footer: body })],
    ['a first screen', flow({ flow_action: 'navigate', flow_action_payload: { screen: 'A', data: { a: 1 } } })],
    ['a flow with an endpoint', flow({ flow_action: 'data_exchange' })],
    ['a product with a text', { ...PRODUCT, body, footer: body }],
    ['ten sections', products(Array.from({ length: 10 }, (_, at) => ({ title: `S${at}`, product_items: items(3) })))],
  ])('can contain %s', async (_title, interactive) => {
    await accepted(interactive);
  });

  it.each<[string, object, number, string]>([
    [
      'a missing version',
      flow({ flow_message_version: undefined }),
      100,
      'Param flow_message_version must be one of {3}.',
    ],
    [
      'neither flow id nor name',
      flow({ flow_id: undefined }),
      100,
      'Exactly one of flow_id and flow_name must be present.',
    ],
    ['both flow id and name', flow({ flow_name: 'x' }), 100, 'Exactly one of flow_id and flow_name must be present.'],
    [
      'a button label of 31 characters',
      flow({ flow_cta: 'x'.repeat(31) }),
      131009,
      'Flow CTA length invalid. Min length: 1, Max length: 30',
    ],
    ['an unknown mode', flow({ mode: 'live' }), 100, 'Param mode must be one of {DRAFT, PUBLISHED}.'],
    [
      'an unknown action',
      flow({ flow_action: 'x' }),
      100,
      'Param flow_action must be one of {NAVIGATE, DATA_EXCHANGE}.',
    ],
    [
      'a first screen together with an endpoint',
      flow({ flow_action: 'data_exchange', flow_action_payload: { screen: 'A' } }),
      131009,
      'flow_action_payload is not allowed for data_exchange',
    ],
    [
      'an empty input',
      flow({ flow_action_payload: { screen: 'A', data: {} } }),
      131009,
      'flow_action_payload data must be a non-empty object',
    ],
    [
      'a location request with a header',
      { ...LOCATION, header },
      131009,
      'Header type text is not supported for this interactive message',
    ],
    [
      'a location request with another action',
      question('location_request_message', 'x'),
      100,
      "Param action['name'] must be one of {SEND_LOCATION}.",
    ],
    [
      'a call permission request with another action',
      question('call_permission_request', 'x'),
      100,
      "Param action['name'] must be one of {CALL_PERMISSION_REQUEST}.",
    ],
    [
      'a product with a header',
      { ...PRODUCT, header },
      131009,
      'Header type text is not supported for this interactive message',
    ],
    [
      'a list without a header',
      products([{ product_items: items(1) }], { header: undefined }),
      100,
      "The parameter interactive['header'] is required.",
    ],
    [
      'a list with an image',
      products([{ product_items: items(1) }], { header: { type: 'image', image: { link: 'https://a.example/b' } } }),
      131009,
      'Header type image is not supported for this interactive message',
    ],
    [
      '31 products',
      products([{ product_items: items(31) }]),
      131009,
      'Total product count exceed max allowed count: 30',
    ],
    [
      'eleven sections',
      products(Array.from({ length: 11 }, () => ({ title: 'A', product_items: items(1) }))),
      131009,
      'Invalid sections count. Min allowed sections: 1, Max allowed sections: 10',
    ],
    [
      'sections without titles',
      products([{ product_items: items(1) }, { product_items: items(1) }]),
      131009,
      'Section title is required when there is more than one section',
    ],
    [
      'an empty section',
      products([{ product_items: [] }]),
      131009,
      'Invalid product_items count. Min allowed product_items: 1',
    ],
  ])('are rejected with %s', async (_title, interactive, code, says) => {
    const { status, body: answer } = await send(interactive);
    expect({ status, answer: JSON.stringify(answer) }).toEqual({
      status: 400,
      answer: expect.stringContaining(JSON.stringify(says).slice(1, -1)) as string,
    });
    expect(answer.error).toMatchObject({ code });
  });

  it.each<[string, object, object, object]>([
    [
      'a submitted flow',
      flow(),
      { id: 'flow', response: { size: 'M' } },
      {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"t1","size":"M"}' },
        },
      },
    ],
    [
      'a response in invalid JSON',
      flow(),
      { id: 'flow', response: 'oops' },
      { interactive: { nfm_reply: { response_json: 'oops' } } },
    ],
    [
      'a location',
      LOCATION,
      { id: 'send_location', location: { latitude: 1, longitude: 2 } },
      { type: 'location', location: { latitude: 1, longitude: 2 } },
    ],
    [
      'a temporary permission',
      CALLS,
      { id: 'call_permission_request' },
      {
        interactive: {
          type: 'call_permission_reply',
          call_permission_reply: {
            response: 'accept',
            is_permanent: false,
            expiration_timestamp: expect.any(Number) as number,
            response_source: 'user_action',
          },
        },
      },
    ],
    [
      'a declined permission',
      CALLS,
      { id: 'call_permission_request', response: 'reject' },
      { interactive: { call_permission_reply: { response: 'reject', response_source: 'user_action' } } },
    ],
    [
      'an order of a product',
      PRODUCT,
      { id: 'SKU-17', quantity: 2 },
      {
        type: 'order',
        order: {
          catalog_id: '1948',
          product_items: [{ product_retailer_id: 'SKU-17', quantity: 2, item_price: 30, currency: 'USD' }],
        },
      },
    ],
    [
      'an order from a list',
      products([{ product_items: items(3) }]),
      { id: 'SKU-2', text: 'Love these', price: 9, currency: 'EUR' },
      {
        type: 'order',
        order: {
          catalog_id: '1948',
          text: 'Love these',
          product_items: [{ product_retailer_id: 'SKU-2', quantity: 1, item_price: 9, currency: 'EUR' }],
        },
      },
    ],
  ])('are answered with %s', async (_title, interactive, press, reply) => {
    const messageId = await accepted(interactive);
    await simulator.control('press', { messageId, ...press });
    expect(await replyTo(messageId)).toMatchObject({
      from: CUSTOMER,
      context: { from: NUMBER, id: messageId },
      ...reply,
    });
  });

  it('reject a press of an unknown button', async () => {
    for (const interactive of [flow(), LOCATION, CALLS, PRODUCT, products([{ product_items: items(1) }])]) {
      const messageId = await accepted(interactive);
      await expect(simulator.control('press', { messageId, id: 'never' })).rejects.toThrow(
        'no such button, row or product',
      );
    }
  });
});
