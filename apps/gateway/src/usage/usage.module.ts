import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ConsoleUsageController } from './console-usage.controller';
import { UsageController } from './usage.controller';

@Module({
  imports: [ServiceClientsModule],
  controllers: [UsageController, ConsoleUsageController],
})
export class UsageModule {}
