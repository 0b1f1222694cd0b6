import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { OtpConsoleController } from './console-otp.controller';
import { OtpChanges } from './otp-changes';
import { OtpSendController } from './otp-send.controller';
import { OtpController } from './otp.controller';

@Module({
  imports: [AuditLogModule],
  controllers: [OtpConsoleController, OtpController, OtpSendController],
  providers: [OtpChanges],
})
export class OtpModule {}
