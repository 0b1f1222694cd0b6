import { PassThrough, Readable } from 'node:stream';
import { readSecret, type SecretInput } from './secret-input';

describe('readSecret', () => {
  const shown: string[] = [];
  const print = (text: string): void => void shown.push(text);
  beforeEach(() => (shown.length = 0));

  const terminal = (): SecretInput & PassThrough & { raw: boolean[] } => {
    const raw: boolean[] = [];
    return Object.assign(new PassThrough(), { isTTY: true, raw, setRawMode: (on: boolean) => raw.push(on) });
  };

  it('reads the first piped line without a prompt', async () => {
    expect(await readSecret('Password: ', Readable.from(['correct horse ', 'battery\r\nmore\n']), print)).toBe(
      'correct horse battery',
    );
    expect(shown).toEqual([]);
  });

  it('prompts at a terminal without echo', async () => {
    const input = terminal();
    const reading = readSecret('Password: ', input, print);
    for (const keys of ['correct hors', 'x\u007f', 'e battery', '\r']) input.write(keys);
    expect(await reading).toBe('correct horse battery');
    expect([shown, input.raw]).toEqual([
      ['Password: ', '\n'],
      [true, false],
    ]);
  });

  it('fails without input', async () => {
    await expect(readSecret('Password: ', Readable.from([]), print)).rejects.toThrow('no password was given');
    const input = terminal();
    const reading = readSecret('Password: ', input, print);
    input.write('abc\u0003');
    await expect(reading).rejects.toThrow('stopped');
    expect(input.raw).toEqual([true, false]);
  });
});
