import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module';
import { RateLimitsModule } from '../rate-limits/rate-limits.module';
import { SessionsModule } from '../sessions/sessions.module';
import { AccessChangesController } from './access-changes.controller';
import { AccessService } from './access.service';
import { ApiKeyGuard } from './api-key.guard';
import { ClientLookup } from './client-lookup';
import { ClientReads } from './client-reads';
import { KeyCache } from './key-cache';
import { PlanFeatureGuard } from './plan-feature.guard';
import { RateLimitGuard } from './rate-limit.guard';
import { RolesGuard } from './roles.guard';
import { SessionGuard } from './session.guard';

/** Guards of all routes, in the order of the checks in `AccessService`. */
const GUARDS = [ApiKeyGuard, SessionGuard, RateLimitGuard, RolesGuard, PlanFeatureGuard];

@Module({
  imports: [AccountsModule, RateLimitsModule, SessionsModule],
  controllers: [AccessChangesController],
  providers: [
    ...GUARDS,
    ...GUARDS.map((guard) => ({ provide: APP_GUARD, useExisting: guard })),
    AccessService,
    ClientLookup,
    ClientReads,
    KeyCache,
  ],
})
export class AuthModule {}
