import { readFileSync } from 'node:fs';
import { DEFAULT_OPT_IN_WORDS, DEFAULT_OPT_OUT_WORDS } from '@switchboard/contracts';
import { optOutChangeOf, type OptOutWords } from './opt-out-words';

const defaults = { optOut: DEFAULT_OPT_OUT_WORDS, optIn: DEFAULT_OPT_IN_WORDS };
const kindOf = (type: string, content: object | null, words: OptOutWords = defaults): string | null => {
  const change = optOutChangeOf(type, content, words);
  return change && (change.refuses ? 'opt-out' : 'opt-in');
};
const text = (body: string) => ['text', { body }] as const;

describe('optOutChangeOf', () => {
  it.each([
    ['STOP', 'opt-out'],
    [' stop \n', 'opt-out'],
    ['Stop  all', 'opt-out'],
    ['ＳＴＯＰ', 'opt-out'],
    ['unsubscribe', 'opt-out'],
    ['Start', 'opt-in'],
    ['Stop.', 'opt-out'],
    ['“Stop!”', 'opt-out'],
    ['*STOP* 🙏🏽', 'opt-out'],
    ['✋️ stop ✋️', 'opt-out'],
    ['¡Stop!', 'opt-out'],
    ['‏stop‎', 'opt-out'],
    ['«ｓｔｏｐ»', 'opt-out'],
    ['Stop promotions', 'opt-out'],
    ['Opt-out', 'opt-out'],
    ['opt‑out', 'opt-out'],
    ['Detener promociones', 'opt-out'],
    ['Parar promoções', 'opt-out'],
    ['Parar promoções'.normalize('NFD'), 'opt-out'],
    ['Interrompi promozioni.', 'opt-out'],
    ['(start)', 'opt-in'],
    ['Opt-in ✅', 'opt-in'],
    ['please stop', null],
    ['Stop promotions of shoes', null],
    ['Is this the bus stop?', null],
    ['stop, please.', null],
    ['🛑', null],
    ['...', null],
    [`stop${'!'.repeat(50)}`, 'opt-out'],
    ['stop it', null],
    ['', null],
    ['STOPP', null],
  ])('reads %j as %s', (body, change) => expect(kindOf(...text(body))).toBe(change));

  it.each([
    ['button', { payload: 'STOP', text: 'Bye' }, 'opt-out'],
    ['button', { payload: 'x7', text: 'Stop' }, 'opt-out'],
    ['button', { payload: 'Stop promotions', text: 'Stop promotions' }, 'opt-out'],
    ['interactive', { type: 'button_reply', button_reply: { id: 'start', title: 'Yes' } }, 'opt-in'],
    ['interactive', { type: 'button_reply', button_reply: { id: 'b1', title: 'Unsubscribe' } }, 'opt-out'],
    ['interactive', { type: 'list_reply', list_reply: { id: 'STOP', title: 'STOP' } }, null],
    ['image', { caption: 'STOP' }, null],
    ['text', { body: 7 }, null],
    ['text', null, null],
    ['interactive', { button_reply: null }, null],
  ])('reads a %s with the content %j as %s', (type, content, change) => expect(kindOf(type, content)).toBe(change));

  it("returns the word of the account's list", () =>
    expect(optOutChangeOf(...text('«stop all»!'), defaults)).toEqual({ refuses: true, word: 'STOP ALL' }));

  it('reads a long emoji text in linear time', () =>
    expect(kindOf(...text(`a${'😀'.repeat(2000)}a`), defaults)).toBeNull());

  it("uses only the account's custom words if it has any", () => {
    const words = { optOut: ['Arrêt'], optIn: ['encore'] };
    expect([kindOf(...text('ARRÊT'), words), kindOf(...text('Encore'), words), kindOf(...text('STOP'), words)]).toEqual(
      ['opt-out', 'opt-in', null],
    );
  });

  it.each([
    ['रोको', '«रोको»', 'opt-out'],
    ['रोको', 'रोक', null],
    ['🛑', ' 🛑 ', 'opt-out'],
    ['🛑', '👍', null],
    ['j’arrête', "J'arrête !", 'opt-out'],
    ['İptal', 'iptal.', 'opt-out'],
    ['1', '1️⃣', 'opt-out'],
    ['stop!', 'STOP', 'opt-out'],
  ])('compares the custom word %j with %j in any script', (word, written, change) =>
    expect(kindOf(...text(written), { optOut: [word], optIn: [] })).toBe(change),
  );

  it.each(['docs/guides/customers.md', 'docs/spec.md'])('documents the default words in %s', (page) => {
    const text = readFileSync(page, 'utf8');
    const missing = [...DEFAULT_OPT_OUT_WORDS, ...DEFAULT_OPT_IN_WORDS].filter((word) => !text.includes(`\`${word}\``));
    expect(missing).toEqual([]);
  });

  it('has exactly the default words of spec §3.7.5', () => {
    const [, rule = ''] = /\*\*3\.7\.5\*\*([\s\S]*?)\n\n/.exec(readFileSync('docs/spec.md', 'utf8')) ?? [];
    const listed = rule
      .split('These opt in again')
      .map((part) => [...part.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
    expect(listed).toEqual([[...DEFAULT_OPT_OUT_WORDS], [...DEFAULT_OPT_IN_WORDS]]);
    for (const [change, words] of [
      ['opt-out', DEFAULT_OPT_OUT_WORDS],
      ['opt-in', DEFAULT_OPT_IN_WORDS],
    ] as const)
      for (const word of words) expect([word, kindOf(...text(word), defaults)]).toEqual([word, change]);
  });

  it('reads a word in both lists as an opt-out', () =>
    expect(kindOf(...text('x'), { optOut: ['X'], optIn: ['x'] })).toBe('opt-out'));
});
