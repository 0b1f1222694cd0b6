import { type DynamicModule, Module } from '@nestjs/common';
import { databaseModule } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER } from '@switchboard/platform';
import { CodesController } from './codes/codes.controller';
import { CodesService } from './codes/codes.service';
import type { OtpConfig } from './config';

@Module({})
export class OtpModule {
  static with({ config, logger }: { config: OtpConfig; logger: Logger }): DynamicModule {
    return {
      module: OtpModule,
      imports: [databaseModule({ schema: 'otp', url: config.DATABASE_URL })],
      controllers: [CodesController],
      providers: [CodesService, { provide: CONFIG, useValue: config }, { provide: LOGGER, useValue: logger }],
    };
  }
}
