import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from '../support/account';
import { call } from '../support/api';
import { control, freshPhone, receivedUpstream, writeIn, writeInAny } from '../support/simulator';
import { type Listener, listenFor } from '../support/webhooks';

const body = { text: 'Book your visit' };
const data = { city: 'Pune', firstName: 'Asha', seats: [{ seat_row: 'A', seatNumber: 1 }] };
const flow = {
  type: 'flow',
  header: { type: 'text', text: 'Acme' },
  body,
  footer: { text: 'One minute' },
  action: {
    name: 'flow',
    parameters: {
      flowId: '1197715005513101',
      flowCta: 'Book now',
      flowToken: 'booking-7781',
      flowAction: 'navigate',
      mode: 'draft',
      flowActionPayload: { screen: 'BOOKING', data },
    },
  },
};
const LOCATION_REQUEST = { type: 'location_request_message', body, action: { name: 'send_location' } };
const CALL_REQUEST = { type: 'call_permission_request', body, action: { name: 'call_permission_request' } };
const PRODUCT = { type: 'product', action: { catalogId: '1948', productRetailerId: 'SKU-17' } };
const PRODUCT_LIST = {
  type: 'product_list',
  header: { type: 'text', text: 'New' },
  body,
  action: {
    catalogId: '1948',
    sections: [
      { title: 'Fruit', productItems: [{ productRetailerId: 'SKU-17' }, { productRetailerId: 'SKU-18' }] },
      { title: 'Bread', productItems: [{ productRetailerId: 'SKU-19' }] },
    ],
  },
};

describe('sections 3.10 and 11.3: interactive messages', () => {
  let account: TestAccount;
  let listener: Listener;
  let to: string;

  beforeAll(async () => {
    account = await newAccount('Flows');
    listener = await listenFor(account.accountId);
    to = freshPhone();
    const written = await writeIn(to, 'Hello', { to: account.phoneNumber });
    await eventually(async () => expect(await account.api.getMessage({ id: written })).toBeDefined());
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const send = (interactive: object, recipient = to) =>
    call('POST', '/messages/send', {
      apiKey: account.apiKey,
      body: { to: recipient, type: 'interactive', interactive },
    });
  const accepted = async (interactive: object): Promise<{ id: string; wamid: string }> => {
    const answer = await send(interactive);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.body).not.toHaveProperty('warnings');
    return { id: String(answer.body['id']), wamid: String(answer.body['message_id']) };
  };
  const onTheWire = async (wamid: string) => (await receivedUpstream(to)).find((each) => each.wamid === wamid)?.body;
  const record = async (id: string) => (await account.api.getMessage({ id })).message;
  /** Presses a button of a message. Returns the event about the reply, after comparing it with the record. */
  const answer = async (wamid: string, press: object) => {
    const { messageId } = await control<{ messageId: string }>('POST', '/press', { messageId: wamid, ...press });
    const event = await eventually(() => {
      const [first] = listener.about(messageId);
      expect(first).toMatchObject({ event: 'message', from: to, context: { messageId: wamid } });
      return first as unknown as Record<string, unknown>;
    });
    await sameInReads(messageId, event);
    return event;
  };
  /** Compares the content of an event with its record in `GET /messages/{id}` and in both lists. */
  const sameInReads = async (messageId: string, event: Record<string, unknown>) => {
    const content = { type: event['type'], [String(event['type'])]: event[String(event['type'])] };
    expect(await record(messageId)).toMatchObject(content);
    expect((await account.api.listMessages({ messageId })).messages).toMatchObject([content]);
    const { messages } = await account.api.listConversationMessages({ phone: to, limit: 100 });
    expect(messages.find(({ message_id }) => message_id === messageId)).toMatchObject(content);
  };
  const refusalOf = async (interactive: object) => {
    const refused = await send(interactive);
    return [refused.status, refused.body['code'], refused.body['message']];
  };
  const withParameters = (parameters: object) => ({ type: 'flow', body, action: { name: 'flow', parameters } });

  it('3.10.10 sends a flow by id or name and receives the form', async () => {
    const { id, wamid } = await accepted(flow);
    expect(await record(id)).toMatchObject({ type: 'interactive', interactive: flow });
    // 5.1.12
    expect(await answer(wamid, { id: 'flow', response: { size: 'M', first_name: 'Asha' } })).toMatchObject({
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfmReply: {
          name: 'flow',
          body: 'Sent',
          responseJson: '{"flow_token":"booking-7781","size":"M","first_name":"Asha"}',
          response: { flow_token: 'booking-7781', size: 'M', first_name: 'Asha' },
        },
      },
    });
    const named = await accepted(withParameters({ flow_name: 'booking', flow_cta: 'Book' }));
    expect(await onTheWire(named.wamid)).toMatchObject({
      interactive: {
        action: { name: 'flow', parameters: { flow_message_version: '3', flow_name: 'booking', flow_cta: 'Book' } },
      },
    });
    expect(await refusalOf(withParameters({ flowId: '1', flowName: 'a', flowCta: 'Book' }))).toEqual([
      400,
      'INVALID_PARAMETER',
      expect.stringContaining('flowName cannot be given together with flowId'),
    ]);
    expect(await refusalOf(withParameters({ flowCta: 'Book' }))).toEqual([
      400,
      'MISSING_FIELD',
      expect.stringContaining('flowId is required'),
    ]);
  });

  it('3.10.11 passes the input of the first screen unchanged', async () => {
    const { id, wamid } = await accepted(flow);
    const payload = { screen: 'BOOKING', data };
    expect(await onTheWire(wamid)).toMatchObject({
      interactive: { action: { parameters: { flow_action: 'navigate', mode: 'draft', flow_action_payload: payload } } },
    });
    expect(await record(id)).toMatchObject({
      interactive: { action: { parameters: { flowActionPayload: payload } } },
    });
    await accepted(withParameters({ flowId: '1', flowCta: 'Book', flowAction: 'data_exchange' }));
    for (const [parameters, status, code] of [
      [{ flowAction: 'data_exchange', flowActionPayload: { screen: 'A' } }, 422, 'INVALID_VALUE'],
      [{ flowActionPayload: { data: {} } }, 422, 'INVALID_VALUE'],
      [{ flowActionPayload: { data: { a: 'x'.repeat(65_536) } } }, 422, 'TEXT_TOO_LONG'],
      [{ flowActionPayload: { data: [1] } }, 400, 'INVALID_PARAMETER'],
      [{ flowAction: 'open' }, 400, 'INVALID_PARAMETER'],
    ] as const)
      expect(await refusalOf(withParameters({ flowId: '1', flowCta: 'Book', ...parameters }))).toEqual([
        status,
        code,
        expect.any(String),
      ]);
  });

  it('3.10.12 requests a location, which arrives as a message', async () => {
    const { id, wamid } = await accepted(LOCATION_REQUEST);
    expect(await onTheWire(wamid)).toMatchObject({ interactive: LOCATION_REQUEST });
    expect(await record(id)).toMatchObject({ interactive: LOCATION_REQUEST });
    expect(await answer(wamid, { id: 'send_location' })).toMatchObject({
      type: 'location',
      location: { latitude: 37.4422, longitude: -122.1616 },
    });
    expect(await refusalOf({ ...LOCATION_REQUEST, header: { type: 'text', text: 'Hi' } })).toEqual([
      422,
      'INVALID_VALUE',
      'interactive.header is not supported for this type',
    ]);
  });

  it('3.10.13 sends products and receives orders', async () => {
    const one = await accepted(PRODUCT);
    expect(await onTheWire(one.wamid)).toMatchObject({
      interactive: { type: 'product', action: { catalog_id: '1948', product_retailer_id: 'SKU-17' } },
    });
    expect(await record(one.id)).toMatchObject({ interactive: PRODUCT });
    const many = await accepted(PRODUCT_LIST);
    expect(await record(many.id)).toMatchObject({ interactive: PRODUCT_LIST });
    expect(await answer(one.wamid, { id: 'SKU-17', quantity: 2 })).toMatchObject({
      type: 'order',
      order: {
        catalogId: '1948',
        productItems: [{ productRetailerId: 'SKU-17', quantity: 2, itemPrice: 30, currency: 'USD' }],
      },
    });
    expect(await answer(many.wamid, { id: 'SKU-19', text: 'Love these' })).toMatchObject({
      order: { text: 'Love these', productItems: [{ productRetailerId: 'SKU-19' }] },
    });
    const productItems = Array.from({ length: 16 }, (_, at) => ({ productRetailerId: `SKU-${at}` }));
    const sections = [
      { title: 'A', productItems },
      { title: 'B', productItems },
    ];
    for (const [action, words] of [
      [{ sections }, 'at most 30 products in total'],
      [{ sections: [{ productItems }, { productItems }] }, 'at most 30 products in total'],
      [{ sections: [{ productItems: [{ productRetailerId: 'a' }] }, ...sections.slice(1)] }, 'must each have a title'],
    ] as const)
      expect(await refusalOf({ ...PRODUCT_LIST, action: { catalogId: '1948', ...action } })).toEqual([
        422,
        'INVALID_VALUE',
        expect.stringContaining(words),
      ]);
    expect(await refusalOf({ ...PRODUCT_LIST, header: undefined })).toEqual([
      400,
      'MISSING_FIELD',
      'interactive.header is required',
    ]);
    expect(await refusalOf({ ...PRODUCT, header: PRODUCT_LIST.header })).toMatchObject({ 0: 422, 1: 'INVALID_VALUE' });
  });

  it('3.10.14 requests permission to call', async () => {
    const { id, wamid } = await accepted(CALL_REQUEST);
    expect(await onTheWire(wamid)).toMatchObject({ interactive: CALL_REQUEST });
    expect(await record(id)).toMatchObject({ interactive: CALL_REQUEST });
    // 11.3.29
    expect(await answer(wamid, { id: 'call_permission_request' })).toMatchObject({
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        callPermissionReply: {
          response: 'accept',
          isPermanent: false,
          expirationTimestamp: expect.any(Number) as number,
          responseSource: 'user_action',
        },
      },
    });
    const again = await accepted(CALL_REQUEST);
    expect(await answer(again.wamid, { id: 'call_permission_request', response: 'reject' })).toMatchObject({
      interactive: { callPermissionReply: { response: 'reject' } },
    });
  });

  it('3.10.15 requires an open window and can be sent in bulk', async () => {
    for (const interactive of [flow, LOCATION_REQUEST, CALL_REQUEST, PRODUCT, PRODUCT_LIST])
      expect(await send(interactive, freshPhone())).toMatchObject({ status: 400, body: { code: 'WINDOW_CLOSED' } });
    for (const interactive of [flow, PRODUCT_LIST]) {
      const { body: created } = await call('POST', '/messages/send/bulk', {
        apiKey: account.apiKey,
        body: { recipients: [to], type: 'interactive', interactive },
      });
      const jobId = String(created['jobId']);
      await eventually(async () => {
        const { recipients } = await account.api.listJobRecipients({ jobId });
        expect(recipients).toMatchObject([{ phone: to, status: 'read' }]);
      });
      expect((await account.api.listMessages({ jobId })).messages).toMatchObject([{ interactive, jobId }]);
    }
  });

  it('11.3.28 returns null for a response that is too large or not a JSON object', async () => {
    const { wamid } = await accepted(flow);
    const responses: [string, unknown][] = [
      ['oops', null],
      ['[1]', null],
      [`{"a":"${'x'.repeat(40_000)}"}`, null],
      [`{"a":${'['.repeat(12_000)}${']'.repeat(12_000)}}`, null],
      ['{"a":1,"a":2,"__proto__":{"admin":true},"constructor":{"x":1}}', { a: 2 }],
      [String.raw`{"name\u0000":"\ud800 ok","n":1e999}`, { 'name\uFFFD': '\uFFFD ok', n: null }],
    ];
    for (const [responseJson, response] of responses) {
      const event = await answer(wamid, { id: 'flow', response: responseJson });
      expect((event['interactive'] as { nfmReply: object }).nfmReply).toEqual({
        name: 'flow',
        body: 'Sent',
        responseJson,
        response,
      });
    }
  });

  it('11.3.28 replaces characters that cannot be stored', async () => {
    const nfm_reply = { name: 'flow', body: 'Sent', response_json: '{"a":"\u0000\ud800"}' };
    const messageId = await writeInAny({
      from: to,
      to: account.phoneNumber,
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply },
    });
    const [event] = await eventually(() => {
      const events = listener.about(messageId);
      expect(events).toHaveLength(1);
      return events;
    });
    expect(event).toMatchObject({ interactive: { nfmReply: { response: { a: '\uFFFD\uFFFD' } } } });
    await sameInReads(messageId, event as unknown as Record<string, unknown>);
  });
});
