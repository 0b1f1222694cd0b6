import { comingOf, hear, send, type Typing } from './use-typing';

const typing = (typed: string, value = ''): Typing => ({ typed, value, sent: [] });

describe('useTyping', () => {
  it('keeps a trailing space and text typed during navigation', () => {
    const asked = send(typing('John '), 'John');
    expect(hear(asked, 'John').typed).toBe('John ');
    expect(hear({ ...asked, typed: 'John Smith' }, 'John').typed).toBe('John Smith');
  });

  it('keeps the text when filters arrive late or never', () => {
    const twice = send(send(typing('John'), 'Jo'), 'John');
    const first = hear(twice, 'Jo');
    expect([first.typed, hear(first, 'John').typed, hear(twice, 'John').sent]).toEqual(['John', 'John', []]);
  });

  it('shows a filter set by the back button, even an earlier one', () => {
    const asked = hear(send(typing('John'), 'John'), 'John');
    expect(hear(asked, '').typed).toBe('');
    expect(hear(hear(asked, ''), 'John').typed).toBe('John');
  });

  it('does not send the same filter twice while it is unchanged', () => {
    expect(comingOf(typing('a', 'b'))).toBe('b');
    expect(comingOf(send(typing('msg_1'), 'msg_1'))).toBe('msg_1');
  });
});
