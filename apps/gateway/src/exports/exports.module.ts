import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { MessagesModule } from '../messages/messages.module';
import { ConsoleExportsController } from './console-exports.controller';

@Module({
  imports: [MessagesModule, ServiceClientsModule],
  controllers: [ConsoleExportsController],
})
export class ExportsModule {}
