import { printResult } from './output';

function printed(result: object, legend?: Record<string, string>): string {
  let text = '';
  printResult((part) => (text += part), result, { json: false, ...(legend && { legend }) });
  return text;
}

describe('printResult', () => {
  it('prints one line per field', () => {
    const at = new Date('2026-03-02T10:00:00.000Z');
    expect(printed({ id: 'acc_1', suspendedAt: null, at, ips: ['10.0.0.1', '10.0.0.2'], routes: [] })).toBe(
      'id: acc_1\nsuspendedAt: -\nat: 2026-03-02T10:00:00.000Z\nips: 10.0.0.1, 10.0.0.2\nroutes: none\n',
    );
  });

  it('prints a list as a table with the next command', () => {
    const events = [
      { id: 'evt_1', deliveries: [{ state: 'delivered' }, { state: 'dropped' }, { state: 'dropped' }] },
      { id: 'evt_22', deliveries: [] },
    ];
    expect(printed({ events, nextCursor: 'abc' })).toBe(
      'id      deliveries\nevt_1   1 delivered, 2 dropped\nevt_22  -\nmore: --cursor abc\n',
    );
  });

  it('reports an empty list', () => {
    expect(printed({ deadLetters: [], nextCursor: null })).toBe('no dead letters\n');
  });

  it('shows every column that any row has', () => {
    expect(printed({ checks: [{ a: 1 }, { a: 2, b: 3 }] })).toBe('a  b\n1  -\n2  3\n');
  });

  it('prints rows with long texts as blocks', () => {
    const remedy = 'Give the system user the right to send messages, '.repeat(3).trim();
    expect(
      printed({
        checks: [
          { check: 'token', state: 'missing', remedy },
          { check: 'app', state: 'ok', remedy: null },
          { check: 'name', state: 'ok', remedy: '' },
        ],
      }),
    ).toBe(
      `checks:\n- check: token\n  state: missing\n  remedy: ${remedy}\n- check: app\n  state: ok\n  remedy: -\n- check: name\n  state: ok\n`,
    );
  });

  it('prints nested objects as blocks', () => {
    const event = {
      id: 'evt_1',
      body: { event: 'message', text: { body: 'Hi' } },
      deliveries: [{ id: 'dlv_1', state: 'dropped', attempts: [{ attempt: 1, statusCode: 500 }] }],
    };
    expect(printed(event)).toBe(
      [
        'id: evt_1',
        'body:',
        '  event: message',
        '  text:',
        '    body: Hi',
        'deliveries:',
        '- id: dlv_1',
        '  state: dropped',
        '  attempts:',
        '    attempt  statusCode',
        '    1        500',
        '',
      ].join('\n'),
    );
  });

  it('explains a field with the legend', () => {
    expect(printed({ events: 3, media: 0 }, { events: 'webhook events' })).toBe(
      'events: 3  (webhook events)\nmedia: 0\n',
    );
  });

  it('never prints [object Object]', () => {
    const deep = { a: { b: { c: { d: { e: [{ f: 1 }] } } } } };
    expect(printed(deep)).toContain('d: {"e":[{"f":1}]}');
  });
});
