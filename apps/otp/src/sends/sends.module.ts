import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { SettingsModule } from '../settings/settings.module';
import { CodeSender } from './code-sender';
import { SendCredits } from './credits';
import { OtpSendsService } from './otp-sends.service';
import { SendOutcomes } from './send-outcomes.service';
import { SendsController } from './sends.controller';
import { SettleOpenSends } from './settle-open-sends.service';

@Module({
  imports: [ServiceClientsModule, SettingsModule],
  controllers: [SendsController],
  providers: [CodeSender, OtpSendsService, SendCredits, SendOutcomes, SettleOpenSends],
})
export class SendsModule {}
