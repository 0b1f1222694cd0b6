import { groupsOf, isMessageText, isSearchable, type SearchResults } from './found';

const NOTHING: SearchResults = { contacts: [], messages: [], templates: [], jobs: [], keys: [] };

describe('search results', () => {
  it('link each result to its page', () => {
    const groups = groupsOf({
      contacts: [{ id: 'ct_1', name: 'José', username: null, phone: '919812345678', userId: null }],
      messages: [
        {
          id: 'msg_1',
          direction: 'outbound',
          contact: '919812345678',
          contactName: null,
          type: 'text',
          status: 'sent',
          clientRef: 'order-7781',
          timestamp: '2026-03-02T10:15:00.000Z',
        },
      ],
      templates: [{ id: '12', name: 'order_update', language: 'en_US', status: 'APPROVED' }],
      jobs: [{ jobId: 'job_1', template: null, status: 'completed', total: 2, createdAt: '2026-03-02T10:15:00.000Z' }],
      keys: [{ id: 'key_1', name: 'billing', state: 'active', prefix: 'sb_live_4fQz', lastFour: 'x9Tq' }],
    });
    expect(groups.flatMap(({ found }) => found?.map(({ text, to }) => [text, to]))).toEqual([
      ['José', '/contacts/ct_1'],
      ['919812345678', '/messages/msg_1'],
      ['order_update', '/templates/12'],
      ['Job without a template', '/jobs/job_1'],
      ['billing', '/keys/key_1'],
    ]);
    expect(groups[1]?.found?.[0]?.detail).toMatch(/^Sent · .* · order-7781$/);
  });

  it('distinguish unavailable from empty', () => {
    const [contacts, messages] = groupsOf({ ...NOTHING, contacts: null });
    expect([contacts?.found, messages?.found]).toEqual([null, []]);
  });

  it.each([
    ['a', false, false],
    ['+ 9', false, false],
    ['李明', true, true],
    ['x'.repeat(101), true, false],
    ['x'.repeat(257), false, false],
  ])('accept %j: %s, as message text: %s', (text, isAny, isText) => {
    expect([isSearchable(text), isMessageText(text)]).toEqual([isAny, isText]);
  });
});
