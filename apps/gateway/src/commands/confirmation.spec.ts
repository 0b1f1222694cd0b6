import { PassThrough } from 'node:stream';
import { AppError } from '@switchboard/contracts';
import { askYes } from './confirmation';

function terminal(typed?: string): PassThrough & { isTTY: boolean } {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  if (typed === undefined) input.end();
  else input.write(`${typed}\n`);
  return input;
}

describe('confirmation', () => {
  it.each([
    ['yes', true],
    ['Y', true],
    [' yes ', true],
    ['no', false],
    ['', false],
    ['yes please', false],
  ])('reads %j as %s', async (typed, answer) => {
    let asked = '';
    expect(await askYes('Erase? ', terminal(typed), (text) => (asked += text))).toBe(answer);
    expect(asked).toBe('Erase? ');
  });

  it('treats a closed terminal as no', async () => {
    expect(await askYes('Erase? ', terminal(), () => undefined)).toBe(false);
  });

  it('fails without a terminal, before printing the question', async () => {
    const asked: string[] = [];
    const answer = askYes('Erase? ', new PassThrough(), (text) => void asked.push(text));
    await expect(answer).rejects.toThrow(AppError);
    expect(asked).toEqual([]);
  });
});
