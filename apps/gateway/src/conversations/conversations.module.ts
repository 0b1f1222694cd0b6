import { Module } from '@nestjs/common';
import { ConsoleConversationsController } from './console-conversations.controller';
import { ConversationsController } from './conversations.controller';

@Module({
  controllers: [ConsoleConversationsController, ConversationsController],
})
export class ConversationsModule {}
