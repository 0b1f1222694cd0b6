import { createInterface } from 'node:readline/promises';
import { AppError } from '@switchboard/contracts';
import type { SecretInput } from './secret-input';

/**
 * Asks a person at a terminal.
 * @returns whether the answer was yes
 * @throws AppError INVALID_PARAMETER when nobody sits at a terminal
 */
export async function askYes(question: string, input: SecretInput, print: (text: string) => void): Promise<boolean> {
  if (!input.isTTY)
    throw new AppError('INVALID_PARAMETER', { message: 'nothing was done: add --yes where nobody can be asked' });
  print(question);
  const lines = createInterface({ input });
  try {
    const [answer] = await Promise.race([
      lines.question('').then((line) => [line]),
      new Promise<[string]>((resolve) => lines.once('close', () => resolve(['']))),
    ]);
    return /^y(es)?$/i.test((answer ?? '').trim());
  } finally {
    lines.close();
  }
}
