import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ConsoleNumbersController } from './console-numbers.controller';
import { NumberConnections } from './number-connections';
import { NumberNoticesController } from './number-notices.controller';

@Module({
  imports: [SecretBoxModule, ServiceClientsModule],
  controllers: [ConsoleNumbersController, NumberNoticesController],
  providers: [NumberConnections],
})
export class NumbersModule {}
