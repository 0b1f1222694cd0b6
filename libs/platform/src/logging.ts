import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { currentTraceId } from './tracing';

export type Logger = PinoLogger;

/** Fields that must never reach a log, at the top or one level down. */
const SECRET_PATHS = ['authorization', 'apiKey', 'accessToken', 'secret', 'otp', 'password'].flatMap((name) => [name, `*.${name}`]);

/** What a log may say of an error: its other fields can hold query parameters, bodies and phone numbers. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code: unknown = Reflect.get(error, 'code');
  return { type: name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

/**
 * JSON lines, each with the service's name and, inside a span, its trace id.
 * @param destination standard output when absent
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, publishError: describeError },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    mixin: () => {
      const traceId = currentTraceId();
      return traceId ? { traceId } : {};
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Lets Nest write its own messages through our logger; its start-up chatter is at level debug. */
export function nestLogger(logger: Logger): LoggerService {
  const write = (level: 'debug' | 'warn' | 'error', message: unknown, rest: unknown[]): void => {
    const err = [message, ...rest].find((part) => part instanceof Error);
    logger[level]({ err, nest: rest.filter((part) => typeof part === 'string') }, String(message));
  };
  return {
    log: (message: unknown, ...rest: unknown[]) => write('debug', message, rest),
    debug: (message: unknown, ...rest: unknown[]) => write('debug', message, rest),
    verbose: (message: unknown, ...rest: unknown[]) => write('debug', message, rest),
    warn: (message: unknown, ...rest: unknown[]) => write('warn', message, rest),
    error: (message: unknown, ...rest: unknown[]) => write('error', message, rest),
    fatal: (message: unknown, ...rest: unknown[]) => write('error', message, rest),
  };
}
