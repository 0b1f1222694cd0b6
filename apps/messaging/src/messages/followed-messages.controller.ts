import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import { ShowMessageCommand, type ShowMessageReply, showMessageV1, timeOfId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { type FollowedRow, toFollowedMessage } from './followed-message';
import { SHOW_MESSAGE, SHOW_MESSAGE_BY_UPSTREAM_ID } from './followed-messages.queries';

/** Reads messages of any account, for operators. */
@Controller()
export class FollowedMessagesController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(showMessageV1)
  async showMessage(@Payload() { id }: ShowMessageCommand): Promise<ShowMessageReply> {
    const sql = timeOfId('msg', id) ? SHOW_MESSAGE : SHOW_MESSAGE_BY_UPSTREAM_ID;
    const rows = await query<FollowedRow>(this.dataSource, sql, [id]);
    return { messages: rows.map(toFollowedMessage) };
  }
}
