import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ConsoleSettingsController } from './console-settings.controller';
import { SettingsChanges } from './settings-changes';

@Module({
  imports: [AuditLogModule, ServiceClientsModule],
  controllers: [ConsoleSettingsController],
  providers: [SettingsChanges],
})
export class SettingsModule {}
