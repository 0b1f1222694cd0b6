import { Injectable } from '@nestjs/common';
import { newId, type NoteOpenSendReply, SendMessageRequest, type SendMessageCommand } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { keysOf } from '../people/person-keys';
import { captionOf, contentOf } from './message-content';
import { NOTE_OPEN_SEND } from './open-sends.queries';

/** Records sends whose callers got a 504, where the process was lost before it wrote the row. */
@Injectable()
export class OpenSends {
  constructor(private readonly dataSource: DataSource) {}

  async note(command: SendMessageCommand): Promise<NoteOpenSendReply> {
    const { accountId, messageId, message } = command;
    const [row] = await query<NoteOpenSendReply>(this.dataSource, NOTE_OPEN_SEND, {
      id: messageId,
      accountId,
      recipient: message.to,
      type: message.type,
      content: JSON.stringify(requestedContent(command)),
      caption: captionOf(message),
      clientRef: message.clientRef,
      wanted: message.from,
      ...keysOf(message.to),
      newContactId: newId('ct'),
    });
    return { recorded: row?.recorded === true };
  }
}

/** As the request has it: the template and the messages that it names were not checked. */
function requestedContent({ message, upload }: SendMessageCommand): object {
  if (message instanceof SendMessageRequest && message.type === 'reaction') return message.reaction ?? {};
  return contentOf(message, upload);
}
