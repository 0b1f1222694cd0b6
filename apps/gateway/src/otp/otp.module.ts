import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ConsoleOtpController } from './console-otp.controller';
import { OtpChanges } from './otp-changes';
import { OtpSendController } from './otp-send.controller';
import { OtpController } from './otp.controller';

@Module({
  imports: [AuditLogModule, ServiceClientsModule],
  controllers: [ConsoleOtpController, OtpController, OtpSendController],
  providers: [OtpChanges],
})
export class OtpModule {}
