import { splitCallback } from '@switchboard/upstream';
import { NumberStore } from '../numbers/number-store';
import { type CallbackUpdate, callbackBody, escapeAsUpstream } from './callback-body';

const number = new NumberStore().all()[0]!;
const status = (id: string, name: string, waId: string): CallbackUpdate => ({
  kind: 'status',
  number,
  status: { id, status: name, timestamp: '1790416830', recipient_id: waId },
  ...(name !== 'failed' && { contact: { profile: { name: 'Ana' }, wa_id: waId, user_id: `US.${waId}` } }),
});

describe('escapeAsUpstream', () => {
  it('writes the same JSON in ASCII only', () => {
    const value = { text: 'ñ / 👍 "\\' };
    const escaped = escapeAsUpstream(JSON.stringify(value));
    expect(escaped).toBe(String.raw`{"text":"\u00f1 \/ \ud83d\udc4d \"\\"}`);
    expect(JSON.parse(escaped)).toEqual(value);
  });
});

describe('callbackBody', () => {
  it('groups statuses by number and sends other changes alone', () => {
    const body = callbackBody([
      status('a', 'sent', '1555000'),
      status('b', 'failed', '1555001'),
      {
        kind: 'change',
        wabaId: number.wabaId,
        time: 5,
        field: 'message_template_status_update',
        value: { event: 'APPROVED' },
      },
      status('a', 'delivered', '1555000'),
      status('c', 'sent', '1555002'),
    ]);
    const { messages, templates } = splitCallback(JSON.parse(body.toString('ascii')));
    expect(messages.map(({ value }) => value.statuses?.map((item) => item.id))).toEqual([['a', 'a', 'c'], ['b']]);
    expect(messages.map(({ value }) => value.contacts?.map((contact) => contact.wa_id))).toEqual([
      ['1555000', '1555002'],
      undefined,
    ]);
    expect(messages[0]?.value.metadata).toEqual({
      display_phone_number: '15550783881',
      phone_number_id: '200000000000002',
    });
    expect(templates).toEqual([
      { wabaId: '100000000000001', time: 5, field: 'message_template_status_update', value: { event: 'APPROVED' } },
    ]);
  });
});
