import { AppError } from '../errors';
import { CONTENT_BYTES } from '../message-contract';
import { parseBody } from '../validation';
import { MessageContent, SendMessageCommand, SendMessageRequest } from './sends.v1';

const text = (length: number): string => 'x'.repeat(length);
const body = { text: 'Shall we?' };
const flow = (parameters: object = {}, more: object = {}): object => ({
  type: 'flow',
  body,
  action: { name: 'flow', parameters: { flowId: '1197715005513101', flowCta: 'Book now', ...parameters } },
  ...more,
});
const product = (action: object = {}, more: object = {}): object => ({
  type: 'product',
  action: { catalogId: '1948', productRetailerId: 'SKU-17', ...action },
  ...more,
});
const items = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ productRetailerId: `SKU-${at}` }));
const products = (sections: unknown, more: object = {}): object => ({
  type: 'product_list',
  header: { type: 'text', text: 'New' },
  body,
  action: { catalogId: '1948', sections },
  ...more,
});
const sectionsOf = (count: number, of: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ title: `Section ${at}`, productItems: items(of) }));
const question = (type: string, name: string, more: object = {}): object => ({ type, body, action: { name }, ...more });

const parse = (interactive: unknown): unknown =>
  parseBody(SendMessageRequest, { to: '919812345678', type: 'interactive', interactive }).interactive;

function refusalOf(interactive: unknown): [string, string] {
  try {
    parse(interactive);
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.message];
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('interactive content', () => {
  it.each<[string, object]>([
    ['a flow by id', flow()],
    ['a flow by name', flow({ flowId: undefined, flowName: text(200) })],
    ['a draft', flow({ mode: 'draft', flowMessageVersion: '3', flowToken: text(512), flowCta: text(30) })],
    ['a first screen', flow({ flowAction: 'navigate', flowActionPayload: { screen: 'BOOKING', data: { a: [1] } } })],
    ['a first screen without a flow action', flow({ flowActionPayload: { screen: 'BOOKING' } })],
    ['a flow with an endpoint', flow({ flowAction: 'data_exchange' })],
    ['a flow with a header and a footer', flow({}, { header: { type: 'text', text: 'Hi' }, footer: { text: 'Bye' } })],
    ['a flow with an image', flow({}, { header: { type: 'image', image: { link: 'https://example.com/a.png' } } })],
    ['a location request', question('location_request_message', 'send_location')],
    ['a call permission request', question('call_permission_request', 'call_permission_request')],
    ['a product', product()],
    ['a product with a text', product({}, { body: { text: text(1_024) }, footer: { text: 'Bye' } })],
    ['a product list', products([{ productItems: items(1) }])],
    ['a product list of ten sections', products(sectionsOf(10, 3))],
    ['a product list with a footer', products([{ title: text(24), productItems: items(30) }], { footer: body })],
  ])('accepts %s', (_title, content) => {
    const given = JSON.parse(JSON.stringify(content)) as unknown;
    expect(JSON.parse(JSON.stringify(parse(given)))).toEqual(given);
  });

  it('accepts the property names of the upstream platform', () => {
    const parameters = {
      flow_message_version: '3',
      flow_name: 'booking',
      flow_cta: 'Book',
      flow_token: 't1',
      flow_action: 'navigate',
      flow_action_payload: { screen: 'A', data: { first_name: 'Asha', lastName: 'R' } },
    };
    expect(parse({ type: 'flow', body, action: { name: 'flow', parameters } })).toEqual({
      type: 'flow',
      body,
      action: {
        name: 'flow',
        parameters: {
          flowMessageVersion: '3',
          flowName: 'booking',
          flowCta: 'Book',
          flowToken: 't1',
          flowAction: 'navigate',
          flowActionPayload: { screen: 'A', data: { first_name: 'Asha', lastName: 'R' } },
        },
      },
    });
    const sections = [{ title: 'A', product_items: [{ product_retailer_id: 'SKU-1' }] }];
    expect(
      parse({ type: 'product_list', header: { type: 'text', text: 'H' }, body, action: { catalog_id: '1', sections } }),
    ).toMatchObject({ action: { catalogId: '1', sections: [{ productItems: [{ productRetailerId: 'SKU-1' }] }] } });
    expect(parse({ type: 'product', action: { catalog_id: '1', product_retailer_id: '2' } })).toEqual({
      type: 'product',
      action: { catalogId: '1', productRetailerId: '2' },
    });
  });

  const parameter = 'interactive.action.parameters';
  it.each<[string, unknown, string, string]>([
    ['a flow without an id', flow({ flowId: undefined }), 'MISSING_FIELD', `${parameter}.flowId is required`],
    [
      'a flow with both id and name',
      flow({ flowName: 'x' }),
      'INVALID_PARAMETER',
      'cannot be given together with flowId',
    ],
    ['a flow without a label', flow({ flowCta: undefined }), 'MISSING_FIELD', `${parameter}.flowCta is required`],
    ['a button label of 31 characters', flow({ flowCta: text(31) }), 'TEXT_TOO_LONG', `${parameter}.flowCta`],
    ['a blank label', flow({ flowCta: ' ' }), 'INVALID_VALUE', `${parameter}.flowCta`],
    ['a long token', flow({ flowToken: text(513) }), 'TEXT_TOO_LONG', `${parameter}.flowToken`],
    ['a numeric token', flow({ flowToken: 7 }), 'INVALID_PARAMETER', `${parameter}.flowToken`],
    ['an unknown action', flow({ flowAction: 'open' }), 'INVALID_PARAMETER', `${parameter}.flowAction`],
    ['an unknown mode', flow({ mode: 'live' }), 'INVALID_PARAMETER', `${parameter}.mode`],
    ['an unknown version', flow({ flowMessageVersion: '4' }), 'INVALID_PARAMETER', `${parameter}.flowMessageVersion`],
    [
      'a first screen together with an endpoint',
      flow({ flowAction: 'data_exchange', flowActionPayload: { screen: 'A' } }),
      'INVALID_VALUE',
      `${parameter}.flowActionPayload is only supported for the flowAction navigate`,
    ],
    [
      'an empty input',
      flow({ flowActionPayload: { data: {} } }),
      'INVALID_VALUE',
      'data must have at least one member',
    ],
    [
      'an input that is a list',
      flow({ flowActionPayload: { data: [1] } }),
      'INVALID_PARAMETER',
      `${parameter}.flowActionPayload.data must be an object`,
    ],
    ['a large input', flow({ flowActionPayload: { data: { a: text(65_530) } } }), 'TEXT_TOO_LONG', '64 KB'],
    [
      'an input with a NUL character',
      flow({ flowActionPayload: { data: { a: '\u0000' } } }),
      'INVALID_VALUE',
      'cannot be stored',
    ],
    ['a flow without a body', flow({}, { body: undefined }), 'MISSING_FIELD', 'interactive.body is required'],
    ['a flow with an unknown action name', { ...flow(), action: { name: 'x' } }, 'INVALID_PARAMETER', 'action.name'],
    [
      'a location request with an unknown action',
      question('location_request_message', 'location'),
      'INVALID_PARAMETER',
      'interactive.action.name',
    ],
    [
      'a location request with a long body',
      question('location_request_message', 'send_location', { body: { text: text(1_025) } }),
      'TEXT_TOO_LONG',
      'interactive.body.text',
    ],
    [
      'a call permission request without a body',
      question('call_permission_request', 'call_permission_request', { body: undefined }),
      'MISSING_FIELD',
      'interactive.body is required',
    ],
    ...['header', 'footer'].map((part): [string, unknown, string, string] => [
      `a location request with a ${part}`,
      question('location_request_message', 'send_location', { [part]: { type: 'text', text: 'Hi' } }),
      'INVALID_VALUE',
      `interactive.${part} is not supported for this type`,
    ]),
    [
      'a product with a header',
      product({}, { header: { type: 'text', text: 'Hi' } }),
      'INVALID_VALUE',
      'interactive.header is not supported for this type',
    ],
    ['a product without a catalog', product({ catalogId: undefined }), 'MISSING_FIELD', 'action.catalogId is required'],
    ['a long product id', product({ productRetailerId: text(101) }), 'TEXT_TOO_LONG', 'action.productRetailerId'],
    ['a blank product id', product({ productRetailerId: '  ' }), 'INVALID_VALUE', 'action.productRetailerId'],
    ['no sections', products([]), 'INVALID_PARAMETER', 'action.sections'],
    ['eleven sections', products(sectionsOf(11, 1)), 'INVALID_VALUE', 'action.sections'],
    ['a section without products', products([{ productItems: [] }]), 'INVALID_PARAMETER', 'sections.0.productItems'],
    ['31 products', products([{ productItems: items(31) }]), 'INVALID_VALUE', 'at most 30 products in total'],
    ['32 products in two sections', products(sectionsOf(2, 16)), 'INVALID_VALUE', 'at most 30 products in total'],
    [
      'two sections without titles',
      products([{ productItems: items(1) }, { title: 'B', productItems: items(1) }]),
      'INVALID_VALUE',
      'must each have a title when there are more than one',
    ],
    ['a long title', products([{ title: text(25), productItems: items(1) }]), 'TEXT_TOO_LONG', 'sections.0.title'],
    [
      'a product list without a header',
      products([{ productItems: items(1) }], { header: undefined }),
      'MISSING_FIELD',
      'interactive.header is required',
    ],
    [
      'a product list with an image',
      products([{ productItems: items(1) }], { header: { type: 'image', image: { link: 'https://a.org/b' } } }),
      'INVALID_PARAMETER',
      'interactive.header.type',
    ],
  ])('rejects %s', (_title, content, code, words) => {
    expect(refusalOf(content)).toEqual([code, expect.stringContaining(words)]);
  });

  it('removes unsafe member names from the input of a flow', () => {
    const content = JSON.parse(JSON.stringify(flow({ flowActionPayload: { data: { a: 1 } } }))) as {
      action: { parameters: { flowActionPayload: { data: object } } };
    };
    content.action.parameters.flowActionPayload.data = JSON.parse('{"a":1,"__proto__":{"b":2}}') as object;
    expect(JSON.stringify(parse(content))).not.toContain('__proto__');
  });

  it('is accepted in bulk calls', () => {
    for (const interactive of [flow(), product(), products(sectionsOf(2, 2))])
      expect(parseBody(MessageContent, { type: 'interactive', interactive }).type).toBe('interactive');
  });

  it('fits into a command with the longest values', () => {
    const wide = (length: number): string => '\u0001'.repeat(length);
    const interactive = flow(
      { flowCta: wide(30), flowToken: wide(512), flowActionPayload: { screen: wide(80), data: { a: text(65_500) } } },
      { body: { text: wide(1_024) }, footer: { text: wide(60) }, header: { type: 'text', text: wide(60) } },
    );
    const message = { to: '919812345678', type: 'interactive', interactive, clientRef: wide(128) };
    const command = parseBody(SendMessageCommand, { accountId: 'acc_1', messageId: 'msg_1', message });
    expect(Buffer.byteLength(JSON.stringify(command))).toBeLessThan(CONTENT_BYTES);
  });
});
