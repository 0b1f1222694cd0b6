import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConsoleCreditsController } from './console-credits.controller';
import { CreditRounds } from './credit-rounds';
import { CreditsController } from './credits.controller';
import { CreditsService } from './credits.service';
import { EffectivePlan } from './effective-plan.entity';
import { OverridesService } from './overrides.service';
import { ReservationsService } from './reservations.service';

@Module({
  imports: [TypeOrmModule.forFeature([EffectivePlan])],
  controllers: [ConsoleCreditsController, CreditsController],
  providers: [CreditRounds, CreditsService, OverridesService, ReservationsService],
  exports: [CreditsService, OverridesService],
})
export class AccountsModule {}
