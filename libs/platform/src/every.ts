import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Logger } from './logging';
import { type Loop, type LoopOptions, startLoop } from './loop';
import { LOGGER } from './service';
import type { Wakeup } from './wakeup';

/** What a loop does when and for how long, without its logger and its turn. */
export interface EveryOptions extends Pick<LoopOptions, 'name' | 'everyMs' | 'statementMs'> {
  /** How many turns run side by side; one when absent. */
  parallel?: number;
  /** What ends a pause before its time, of the instance whose method it is. */
  wakeup?: (instance: never) => Wakeup;
}

type Turn = LoopOptions['turn'];

const EVERY = Symbol('every');

/**
 * Calls the method again and again from the start of the service to its end: at once, then `everyMs` after each turn.
 * The method's signal says that the service is ending, and its result when the next turn is due (`LoopOptions`). Any
 * provider of a module may have such methods; `Loops` runs them.
 */
export function Every(options: EveryOptions) {
  return (_target: object, _name: string | symbol, { value }: { readonly value?: Turn }): void => {
    if (value) Reflect.defineMetadata(EVERY, options, value);
  };
}

/** Runs the methods decorated with `Every`, of the providers of all modules. */
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

  /** Lets the running turns end, and starts no other. */
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
