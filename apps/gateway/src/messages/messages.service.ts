import { Injectable } from '@nestjs/common';
import { type ListMessagesReply, MESSAGE_NAME, type MessageRecord, notFound } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import type { PageQuery } from '../pagination/page-query';
import type { ConsoleMessageFilters } from './message-list';
import { OpenSends } from './open-sends';

/** Reads an account's messages, for the API, the dashboard and its CSV files. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly openSends: OpenSends,
  ) {}

  list(
    accountId: string,
    { messageId: upstreamId, ...query }: ConsoleMessageFilters & PageQuery,
  ): Promise<ListMessagesReply> {
    return this.messaging.listMessages({ accountId, ...query, upstreamId });
  }

  /**
   * Finds a message by internal or upstream id, even while the outcome of its send is unknown.
   * @throws AppError NOT_FOUND
   */
  find(accountId: string, id: string): Promise<MessageRecord> {
    if (!MESSAGE_NAME.test(id)) throw notFound('message');
    return this.openSends.getMessage(accountId, id);
  }
}
