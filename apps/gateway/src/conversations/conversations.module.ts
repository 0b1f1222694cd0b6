import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { ConsoleConversationsController } from './console-conversations.controller';
import { ConsoleNotesController } from './console-notes.controller';
import { ConsoleQueueController } from './console-queue.controller';
import { ConversationsController } from './conversations.controller';
import { QueueChanges } from './queue-changes';

@Module({
  imports: [AuditLogModule, MessagesModule, ServiceClientsModule, UsersModule],
  controllers: [
    ConsoleConversationsController,
    ConsoleNotesController,
    ConsoleQueueController,
    ConversationsController,
  ],
  providers: [QueueChanges],
})
export class ConversationsModule {}
