import { createInterface } from 'node:readline';
import { AppError } from '@switchboard/contracts';

/** Maximum length of a password, in characters. */
const MAX_CHARACTERS = 4_096;

/** Source of a secret, which may be typed or piped. */
export type SecretInput = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(raw: boolean): unknown };

/**
 * Reads a secret without echo: prompts at a terminal, or else reads the first piped line. Unlike an argument, it never
 * appears in the process list.
 * @throws AppError INVALID_PARAMETER without input or if the terminal was closed
 */
export async function readSecret(question: string, input: SecretInput, print: (text: string) => void): Promise<string> {
  if (input.isTTY) print(question);
  const secret = input.isTTY ? await readHidden(input) : await readFirstLine(input);
  if (input.isTTY) print('\n');
  if (secret === '') throw new AppError('INVALID_PARAMETER', { message: 'no password was given' });
  return secret;
}

async function readFirstLine(input: SecretInput): Promise<string> {
  const lines = createInterface({ input, crlfDelay: Infinity });
  for await (const line of lines) return line.slice(0, MAX_CHARACTERS);
  return '';
}

/** Reads in raw mode, in which the terminal echoes nothing and passes every key on unchanged. */
function readHidden(input: SecretInput): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (): void => {
      input.off('data', take);
      input.setRawMode?.(false);
      input.pause();
    };
    const take = (keys: Buffer | string): void => {
      for (const key of keys.toString()) {
        if (key === '\r' || key === '\n' || key === '\u0004') return end(), resolve(typed);
        if (key === '\u0003') return end(), reject(new AppError('INVALID_PARAMETER', { message: 'stopped' }));
        typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : (typed + key).slice(0, MAX_CHARACTERS);
      }
    };
    input.setRawMode?.(true);
    input.on('data', take);
    input.resume();
  });
}
