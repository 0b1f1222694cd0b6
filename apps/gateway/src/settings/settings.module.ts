import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { SettingsController } from './console-settings.controller';
import { SettingsChanges } from './settings-changes';

@Module({
  imports: [AuditLogModule],
  controllers: [SettingsController],
  providers: [SettingsChanges],
})
export class SettingsModule {}
