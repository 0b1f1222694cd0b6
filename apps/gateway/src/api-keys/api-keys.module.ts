import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { HttpModule } from '../http/http.module';
import { RateLimitsModule } from '../rate-limits/rate-limits.module';
import { ApiKey } from './api-key.entity';
import { ConsoleKeysController } from './console-keys.controller';
import { ConsoleRateUsageController } from './console-rate-usage.controller';
import { KeysService } from './keys.service';

@Module({
  imports: [AccountsModule, HttpModule, RateLimitsModule, TypeOrmModule.forFeature([ApiKey])],
  controllers: [ConsoleKeysController, ConsoleRateUsageController],
  providers: [KeysService],
  exports: [KeysService],
})
export class ApiKeysModule {}
