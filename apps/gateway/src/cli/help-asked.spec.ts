import { helpAsked } from './help-asked';

const TEXTS = { '': 'program', keys: 'keys', 'keys list': 'keys list', doctor: 'doctor' };

describe('helpAsked', () => {
  it.each([
    [[], 'program'],
    [['--help'], 'program'],
    [['help'], 'program'],
    [['keys'], 'keys'],
    [['keys', '-h'], 'keys'],
    [['help', 'keys'], 'keys'],
    [['keys', 'list', '--help'], 'keys list'],
    [['keys', 'list', '--account', 'acc_1', '--help'], 'keys list'],
    [['help', 'keys', 'list'], 'keys list'],
    [['doctor', '--help'], 'doctor'],
  ])('returns the help for %j', (args, text) => {
    expect(helpAsked(args, TEXTS)).toBe(text);
  });

  it.each([[['doctor']], [['keys', 'list']], [['keys', 'lst', '--help']], [['help', 'nothing']]])(
    'returns undefined for %j',
    (args) => {
      expect(helpAsked(args, TEXTS)).toBeUndefined();
    },
  );
});
