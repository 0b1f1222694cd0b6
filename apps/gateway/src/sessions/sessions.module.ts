import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { UsersModule } from '../users/users.module';
import { SecondFactorController } from './console-second-factor.controller';
import { SessionController } from './console-session.controller';
import { SecondFactorsService } from './second-factors.service';
import { SessionsService } from './sessions.service';

@Module({
  imports: [SecretBoxModule, UsersModule],
  controllers: [SecondFactorController, SessionController],
  providers: [SecondFactorsService, SessionsService],
  exports: [SessionsService],
})
export class SessionsModule {}
