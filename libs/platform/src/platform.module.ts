import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Loops } from './every';
import type { Logger } from './logging';
import { CONFIG, LOGGER } from './service';

@Module({})
export class PlatformModule {
  /** Returns a global module with the service's settings and logger, which runs all methods decorated with `Every`. */
  static forRoot({ config, logger }: { config: object; logger: Logger }): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [{ provide: CONFIG, useValue: config }, { provide: LOGGER, useValue: logger }, Loops],
      exports: [CONFIG, LOGGER],
    };
  }
}
