import { createInterface } from 'node:readline/promises';
import { AppError } from '@switchboard/contracts';
import type { SecretInput } from './secret-input';

/**
 * Asks for confirmation at a terminal.
 * @returns true if the operator answered yes
 * @throws AppError INVALID_PARAMETER without a terminal
 */
export async function askYes(question: string, input: SecretInput, print: (text: string) => void): Promise<boolean> {
  if (!input.isTTY)
    throw new AppError('INVALID_PARAMETER', { message: 'nothing was done: add --yes where nobody can be asked' });
  return /^y(es)?$/i.test(await askLine(question, input, print));
}

/** Prompts for a line at a terminal. @returns the trimmed line; empty if the input was closed */
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
