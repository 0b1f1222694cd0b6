import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ConsoleNumbersController } from './console-numbers.controller';
import { NumberConnections } from './number-connections';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { NumberUsernames } from './number-usernames';
import { NumberNoticesController } from './number-notices.controller';

@Module({
  imports: [AuditLogModule, SecretBoxModule, ServiceClientsModule],
  controllers: [ConsoleNumbersController, NumberNoticesController],
  providers: [NumberConnections, NumberUsernames],
})
export class NumbersModule {}
