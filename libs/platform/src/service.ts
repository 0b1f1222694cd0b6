import type { INestApplicationContext } from '@nestjs/common';
import { createLogger, type Logger } from './logging';
import { type Health, type ManagementListener, startManagementListener } from './management';
import { collectProcessMetrics, gauge } from './metrics';
import { startTracing } from './tracing';

/** Injection token of the service's validated settings, declared and read by the app's `config.ts`. */
export const CONFIG = Symbol('CONFIG');
export const LOGGER = Symbol('LOGGER');

/**
 * Maximum time for shutdown, after which the process exits with code 1. It exceeds the time that any caller waits for
 * an accepted command (90 s, a send with a file). Grace periods must be even longer; tests compare those of k8s, docker
 * and tools with this value.
 */
export const STOP_WITHIN_MS = 100_000;

export interface BuiltService extends Health {
  app: INestApplicationContext;
  listen(): Promise<unknown>;
  /** Runs after the application has stopped, to release its dependencies, such as the broker connection. */
  afterClose?(): Promise<void>;
}

export interface ServiceOptions {
  name: string;
  /** Version of the service's own `package.json`, for metrics and traces. */
  version: string;
  config: { LOG_LEVEL: string; LISTEN_ADDRESS: string; MANAGEMENT_PORT: number; OTEL_EXPORTER_OTLP_ENDPOINT?: string };
  build(parts: { logger: Logger }): Promise<BuiltService>;
}

/**
 * Runs one service until SIGTERM or SIGINT: logger, traces, metrics, health, then the application. Startup waits for an
 * unavailable database or broker, because a restart would not help. At shutdown, the service reports not ready, stops
 * accepting new work, finishes running work, closes its connections, and exits with code 0. A service that cannot start
 * logs the reason and exits with code 1.
 */
export async function runService({ name, version, config, build }: ServiceOptions): Promise<void> {
  const logger = createLogger(name, config.LOG_LEVEL);
  const stopTracing = await startTracing(name, config.OTEL_EXPORTER_OTLP_ENDPOINT, version);
  collectProcessMetrics();
  gauge('build_info', 'Which version of which service runs, on which Node: always 1', [
    'service',
    'version',
    'node',
  ]).set({ service: name, version, node: process.version }, 1);
  exitOnUnexpectedErrors(logger);
  let service: BuiltService | undefined;
  let isStopping = false;
  try {
    const startedAt = performance.now();
    const { MANAGEMENT_PORT: port, LISTEN_ADDRESS: address } = config;
    const management = await startManagementListener({ port, address, logger });
    logger.info({ managementPort: management.port }, 'service.starting');
    stopOnSignals(logger, () => {
      isStopping = true;
      return stop(service, management, stopTracing);
    });
    const built = await build({ logger });
    management.watch(built);
    service = built;
    await built.listen();
    management.started();
    logger.info({ durationMs: Math.round(performance.now() - startedAt) }, 'service.started');
  } catch (error) {
    // A shutdown during startup makes startup fail, but the shutdown continues.
    if (isStopping) return;
    logger.fatal({ err: error }, 'service.failed');
    process.exit(1);
  }
}

/** @param service absent while the service is being built and has no work yet */
async function stop(
  service: BuiltService | undefined,
  management: ManagementListener,
  stopTracing: () => Promise<void>,
): Promise<void> {
  management.refuseWork();
  await service?.app.close();
  await service?.afterClose?.();
  await management.close();
  await stopTracing();
}

function stopOnSignals(logger: Logger, stopAll: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    const startedAt = performance.now();
    setTimeout(() => {
      logger.error({ signal }, 'service.stop-timed-out');
      process.exit(1);
    }, STOP_WITHIN_MS).unref();
    stopAll().then(
      () => {
        logger.info({ signal, durationMs: Math.round(performance.now() - startedAt) }, 'service.stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error, signal }, 'service.stop-failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/** Exits on unhandled errors, because they leave the process in an unknown state. */
function exitOnUnexpectedErrors(logger: Logger): void {
  const exit = (error: unknown): void => {
    logger.fatal({ err: error }, 'service.crashed');
    process.exit(1);
  };
  process.on('uncaughtException', exit).on('unhandledRejection', exit);
}
