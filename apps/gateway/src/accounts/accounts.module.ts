import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Account } from './account.entity';
import { AccountsService } from './accounts.service';
import { ConsoleCreditsController } from './console-credits.controller';
import { CreditRounds } from './credit-rounds';
import { CreditsController } from './credits.controller';
import { CreditsService } from './credits.service';
import { EffectivePlan } from './effective-plan.entity';
import { OverridesService } from './overrides.service';
import { ReservationsService } from './reservations.service';

@Module({
  imports: [TypeOrmModule.forFeature([Account, EffectivePlan])],
  controllers: [ConsoleCreditsController, CreditsController],
  providers: [AccountsService, CreditRounds, CreditsService, OverridesService, ReservationsService],
  exports: [AccountsService, CreditsService, OverridesService],
})
export class AccountsModule {}
