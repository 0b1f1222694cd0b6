import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { currentTraceId } from './tracing';

export type Logger = PinoLogger;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

type Fields = Record<string, unknown>;

/** Fields that must never be logged, at the top level or one level down. */
const SECRET_FIELDS = new Set(['authorization', 'apiKey', 'accessToken', 'secret', 'otp', 'password']);
const LEVELS = 2;

/**
 * Redacts secrets. pino's own redaction would check every path for each record, although hardly any record contains a
 * secret.
 */
function withoutSecrets(fields: Fields, levels = LEVELS): Fields {
  let censored: Fields | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const allowed = SECRET_FIELDS.has(name)
      ? '[redacted]'
      : isLookedInto(value, levels)
        ? withoutSecrets(value, levels - 1)
        : value;
    if (allowed !== value) (censored ??= { ...fields })[name] = allowed;
  }
  return censored ?? fields;
}

function isLookedInto(value: unknown, levels: number): value is Fields {
  return levels > 1 && typeof value === 'object' && value !== null && !(value instanceof Error);
}

/** Keeps only the loggable fields of an error. Other fields may contain query parameters, bodies and phone numbers. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code: unknown = Reflect.get(error, 'code');
  return { type: name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

/**
 * Creates a logger that writes JSON lines with the service's name and, inside a span, the trace id.
 * @param destination standard output when absent
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: (fields: Fields) => withoutSecrets(fields) },
    serializers: { err: describeError, publishError: describeError },
    mixin: () => {
      const traceId = currentTraceId();
      return traceId ? { traceId } : {};
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Adapts the logger for Nest, whose start-up messages are logged at level debug. */
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
