import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module';
import { NotesModule } from '../notes/notes.module';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './conversations.service';
import { QueueController } from './queue.controller';
import { QueueService } from './queue.service';

@Module({
  imports: [MessagesModule, NotesModule],
  controllers: [ConversationsController, QueueController],
  providers: [ConversationsService, QueueService],
})
export class ConversationsModule {}
