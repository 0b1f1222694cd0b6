import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ConsoleSpendCapController } from './console-spend-cap.controller';

@Module({
  imports: [AuditLogModule, ServiceClientsModule],
  controllers: [ConsoleSpendCapController],
})
export class SpendCapsModule {}
