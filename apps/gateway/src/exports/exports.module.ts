import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ConsoleExportsController } from './console-exports.controller';

@Module({
  imports: [ServiceClientsModule],
  controllers: [ConsoleExportsController],
})
export class ExportsModule {}
