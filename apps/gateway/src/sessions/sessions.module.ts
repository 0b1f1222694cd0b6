import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { UsersModule } from '../users/users.module';
import { ConsoleSecondFactorController } from './console-second-factor.controller';
import { ConsoleSessionController } from './console-session.controller';
import { SecondFactorsService } from './second-factors.service';
import { SessionsService } from './sessions.service';

@Module({
  imports: [SecretBoxModule, UsersModule],
  controllers: [ConsoleSecondFactorController, ConsoleSessionController],
  providers: [SecondFactorsService, SessionsService],
  exports: [SessionsService],
})
export class SessionsModule {}
