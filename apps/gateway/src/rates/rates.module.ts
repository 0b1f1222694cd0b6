import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ConsoleRatesController } from './console-rates.controller';

@Module({
  imports: [ServiceClientsModule],
  controllers: [ConsoleRatesController],
})
export class RatesModule {}
