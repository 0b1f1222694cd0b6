import { Module } from '@nestjs/common';
import { FollowedMessagesController } from './followed-messages.controller';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';

@Module({
  controllers: [MessagesController, FollowedMessagesController],
  providers: [MessagesService],
  exports: [MessagesService],
})
export class MessagesModule {}
