import { pino } from 'pino';

/** For code under test that wants a logger. */
export const silentLogger = pino({ level: 'silent' });

/** 32 bytes in base64; protects nothing. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
