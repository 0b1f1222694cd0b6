import { type Logger, pino } from 'pino';
import { testLogLevel } from './environment';

/** Logger of the code under test. `TEST_LOG_LEVEL=info` prints its lines. */
export const silentLogger = pino({ level: testLogLevel() });

/** Returns a logger at level debug, and the records that it writes. */
export function recordingLogger(): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { logger: pino({ level: 'debug' }, { write }), lines };
}

/** Encryption key for tests: 32 bytes in base64. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
