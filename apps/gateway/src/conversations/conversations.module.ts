import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ConsoleConversationsController } from './console-conversations.controller';
import { ConversationsController } from './conversations.controller';

@Module({
  imports: [ServiceClientsModule],
  controllers: [ConsoleConversationsController, ConversationsController],
})
export class ConversationsModule {}
