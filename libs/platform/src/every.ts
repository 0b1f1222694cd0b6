import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Logger } from './logging';
import { type Loop, type LoopOptions, startLoop } from './loop';
import { LOGGER } from './service';
import type { Wakeup } from './wakeup';

export interface EveryOptions extends Pick<LoopOptions, 'name' | 'everyMs' | 'statementMs' | 'restsWhenIdle'> {
  /** Number of loops that run in parallel; one when absent. */
  parallel?: number;
  /** Returns the instance's `Wakeup`, which ends a pause early. */
  wakeup?: (instance: never) => Wakeup;
}

type Turn = LoopOptions['turn'];

const EVERY = Symbol('every');

/**
 * Runs the method periodically while the service is up: immediately at startup, then `everyMs` after each run. The
 * method's signal aborts at shutdown, and its result determines the pause (`LoopOptions`). Any provider of a module may
 * have such methods; `Loops` runs them.
 */
export function Every(options: EveryOptions) {
  return (_target: object, _name: string | symbol, { value }: { readonly value?: Turn }): void => {
    if (value) Reflect.defineMetadata(EVERY, options, value);
  };
}

/** Runs the methods decorated with `Every` in the providers of all modules. */
@Injectable()
export class Loops implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loops: Loop[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loops = this.discovery.getProviders().flatMap(({ instance }) => this.start(instance));
  }

  /** Waits for the running iterations and starts no new ones. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private start(instance: unknown): Loop[] {
    if (typeof instance !== 'object' || instance === null) return [];
    const prototype = Object.getPrototypeOf(instance) as Record<string, Turn> | null;
    if (!prototype) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method = prototype[name];
      const options = method && (Reflect.getMetadata(EVERY, method) as EveryOptions | undefined);
      if (!options) return [];
      const { parallel = 1, wakeup, ...rest } = options;
      const turn: Turn = (signal) => method.call(instance, signal);
      return Array.from({ length: parallel }, () =>
        startLoop({ ...rest, logger: this.logger, wakeup: wakeup?.(instance as never), turn }),
      );
    });
  }
}
