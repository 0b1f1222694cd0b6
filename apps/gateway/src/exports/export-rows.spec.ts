import { listMessagesV1 } from '@switchboard/contracts';
import { messageItem } from '../messages/message-record';
import { MESSAGE_COLUMNS, messageRow } from './export-rows';

const [sample] = listMessagesV1.sample.response.messages;

describe('the text of an exported message', () => {
  const textOf = (type: string, content: object, direction: 'inbound' | 'outbound' = 'inbound') => {
    if (!sample) throw new Error('the contract has no sample');
    const item = messageItem({ ...sample, direction, type, content, caption: null }, 'https://api.example.com');
    return messageRow(item, null)[MESSAGE_COLUMNS.indexOf('text')];
  };

  it.each<[string, string, object, string]>([
    [
      'a pressed button',
      'interactive',
      { type: 'button_reply', button_reply: { id: 'a', title: 'Tomorrow' } },
      'Tomorrow',
    ],
    ['a selected row', 'interactive', { type: 'list_reply', list_reply: { id: 'a', title: 'Express' } }, 'Express'],
    [
      'a submitted form',
      'interactive',
      { type: 'nfm_reply', nfm_reply: { body: 'Sent', response_json: '{"a":1}' } },
      '{"a":1}',
    ],
    [
      'a reply to a call permission request',
      'interactive',
      { type: 'call_permission_reply', call_permission_reply: { response: 'reject' } },
      'reject',
    ],
    [
      'an order',
      'order',
      {
        catalog_id: '1',
        product_items: [1, 2].map((quantity) => ({ product_retailer_id: `SKU-${quantity}`, quantity })),
      },
      '1 x SKU-1, 2 x SKU-2',
    ],
    ['an order with a text', 'order', { catalog_id: '1', text: 'Love these', product_items: [] }, 'Love these'],
  ])('shows %s', (_title, type, content, expected) => {
    expect(textOf(type, content)).toBe(expected);
  });

  it('shows the body of a flow or the id of a product', () => {
    expect(textOf('interactive', { type: 'flow', body: { text: 'Book' }, action: { name: 'flow' } }, 'outbound')).toBe(
      'Book',
    );
    const action = { catalogId: '1', productRetailerId: 'SKU-17' };
    expect(textOf('interactive', { type: 'product', action }, 'outbound')).toBe('SKU-17');
  });
});
