import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ConsoleSettingsController } from './console-settings.controller';
import { SettingsChanges } from './settings-changes';

@Module({
  imports: [AuditLogModule],
  controllers: [ConsoleSettingsController],
  providers: [SettingsChanges],
})
export class SettingsModule {}
