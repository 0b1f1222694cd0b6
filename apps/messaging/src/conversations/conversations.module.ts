import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module';
import { NotesModule } from '../notes/notes.module';
import { ActivitiesService } from './activities.service';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './conversations.service';
import { QueueController } from './queue.controller';
import { QueueService } from './queue.service';
import { ThreadService } from './thread.service';

@Module({
  imports: [MessagesModule, NotesModule],
  controllers: [ConversationsController, QueueController],
  providers: [ActivitiesService, ConversationsService, QueueService, ThreadService],
})
export class ConversationsModule {}
