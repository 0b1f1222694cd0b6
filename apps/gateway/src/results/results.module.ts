import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { MessagesModule } from '../messages/messages.module';
import { ConsoleResultsController } from './console-results.controller';

@Module({
  imports: [MessagesModule, ServiceClientsModule],
  controllers: [ConsoleResultsController],
})
export class ResultsModule {}
