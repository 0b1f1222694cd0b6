import { InboxMessage } from './inbox-message.entity';
import { OutboxMessage } from './outbox-message.entity';
import { PublishedMessage } from './published-message.entity';

/** Entities of the tables that every service has (`createMessageTables`). */
export const messageEntities = [InboxMessage, OutboxMessage, PublishedMessage];
