import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { HttpModule } from '../http/http.module';
import { RateLimitsModule } from '../rate-limits/rate-limits.module';
import { ApiKey } from './api-key.entity';
import { KeysController } from './console-keys.controller';
import { RateUsageController } from './console-rate-usage.controller';
import { KeysService } from './keys.service';

@Module({
  imports: [AccountsModule, HttpModule, RateLimitsModule, TypeOrmModule.forFeature([ApiKey])],
  controllers: [KeysController, RateUsageController],
  providers: [KeysService],
  exports: [KeysService],
})
export class ApiKeysModule {}
