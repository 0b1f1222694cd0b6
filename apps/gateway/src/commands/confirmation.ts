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
  return /^y(es)?$/i.test(await askLine(question, input, print));
}

/** Asks for a line at a terminal. @returns the line without blanks around it; empty when the terminal was left */
export async function askLine(question: string, input: SecretInput, print: (text: string) => void): Promise<string> {
  print(question);
  const lines = createInterface({ input });
  try {
    const line = await Promise.race([
      lines.question(''),
      new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
    ]);
    return line.trim();
  } finally {
    lines.close();
  }
}
