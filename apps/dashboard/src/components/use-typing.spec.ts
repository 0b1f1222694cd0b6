import { comingOf, hear, send, type Typing } from './use-typing';

const typing = (typed: string, value = ''): Typing => ({ typed, value, sent: [] });

describe('a field that searches while somebody types', () => {
  it('keeps a blank at the end, and what was typed while the address changed', () => {
    const asked = send(typing('John '), 'John');
    expect(hear(asked, 'John').typed).toBe('John ');
    expect(hear({ ...asked, typed: 'John Smith' }, 'John').typed).toBe('John Smith');
  });

  it('keeps the text when an earlier answer comes after a later question, or was never seen', () => {
    const twice = send(send(typing('John'), 'Jo'), 'John');
    const first = hear(twice, 'Jo');
    expect([first.typed, hear(first, 'John').typed, hear(twice, 'John').sent]).toEqual(['John', 'John', []]);
  });

  it('shows what the back button brings, also what it had asked for before', () => {
    const asked = hear(send(typing('John'), 'John'), 'John');
    expect(hear(asked, '').typed).toBe('');
    expect(hear(hear(asked, ''), 'John').typed).toBe('John');
  });

  it('does not ask again for what it has asked for, though the filter stays', () => {
    expect(comingOf(typing('a', 'b'))).toBe('b');
    expect(comingOf(send(typing('msg_1'), 'msg_1'))).toBe('msg_1');
  });
});
