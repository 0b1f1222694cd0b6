import { Injectable } from '@nestjs/common';
import { type NoteOpenSendReply, SendMessageRequest, type SendMessageCommand } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { captionOf, contentOf } from './message-content';
import { NOTE_OPEN_SEND } from './open-sends.queries';
import { SENDS } from './send.queries';
import { sendRow } from './send.repository';

/** Records sends whose callers received a 504, in case the process died before it wrote the row. */
@Injectable()
export class OpenSends {
  constructor(private readonly dataSource: DataSource) {}

  async note(command: SendMessageCommand): Promise<NoteOpenSendReply> {
    const send = {
      content: requestedContent(command),
      caption: captionOf(command.message),
      mediaId: null,
      answeredId: null,
      isMarketing: false,
    };
    const rows = SENDS.parameters([sendRow(command, send)]);
    const [row] = await query<NoteOpenSendReply>(this.dataSource, NOTE_OPEN_SEND, rows);
    return { recorded: row?.recorded === true };
  }
}

/** Returns the content as requested. The template and the referenced messages have not been checked. */
function requestedContent({ message, upload }: SendMessageCommand): object {
  if (message instanceof SendMessageRequest && message.type === 'reaction') return message.reaction ?? {};
  return contentOf(message, upload);
}
