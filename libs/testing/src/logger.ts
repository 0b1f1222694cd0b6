import { type Logger, pino } from 'pino';

/** For code under test that wants a logger. */
export const silentLogger = pino({ level: 'silent' });

/** A logger at level debug, and the lines that it wrote. */
export function recordingLogger(): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { logger: pino({ level: 'debug' }, { write }), lines };
}

/** 32 bytes in base64; protects nothing. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
