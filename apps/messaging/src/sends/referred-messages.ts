import { Injectable } from '@nestjs/common';
import {
  AppError,
  type ReactionContent,
  SendMessageRequest,
  type SendUploadRequest,
  timeOfId,
} from '@switchboard/contracts';
import { preparedQuery } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { keysOf } from '../people/person-keys';
import { FIND_REFERRED, FIND_REFERRED_BY_UPSTREAM_ID, type ReferredRow } from './referred-messages.queries';

/** Maximum age of a message to react to. The platform drops reactions to older messages. */
const REACTION_FOR_MS = 30 * 24 * 3_600_000;

/** Upstream ids of the messages to which a send refers. */
export interface References {
  answeredId: string | null;
  /** Content of a reaction, with the upstream id. */
  reaction?: ReactionContent;
}

interface Origin {
  accountId: string;
  numberId: string;
}

/** Finds the messages to which a send replies or reacts. They must belong to the same conversation. */
@Injectable()
export class ReferredMessages {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws AppError INVALID_VALUE if the message is not in this conversation or cannot be referenced */
  async find(origin: Origin, message: SendMessageRequest | SendUploadRequest): Promise<References> {
    const { to, context } = message;
    const answered = context && (await this.named(origin, { to, id: context.messageId, field: 'context.messageId' }));
    const reaction = message instanceof SendMessageRequest ? message.reaction : undefined;
    return {
      answeredId: answered?.upstreamId ?? null,
      ...(reaction && { reaction: await this.toReact(origin, to, reaction) }),
    };
  }

  private async toReact(origin: Origin, to: string, { messageId, emoji }: ReactionContent): Promise<ReactionContent> {
    const field = 'reaction.messageId';
    const { direction, type, at, upstreamId } = await this.named(origin, { to, id: messageId, field });
    if (direction === 'outbound') throw wrong(field, 'names a message of yours: react to one that the recipient wrote');
    if (type === 'reaction') throw wrong(field, 'names a reaction: react to the message itself');
    if (Date.now() - at.getTime() > REACTION_FOR_MS) throw wrong(field, 'names a message that is older than 30 days');
    return { messageId: upstreamId, emoji };
  }

  private async named(
    { accountId, numberId }: Origin,
    { to, id, field }: { to: string; id: string; field: string },
  ): Promise<ReferredRow & { upstreamId: string }> {
    const sql = timeOfId('msg', id) ? FIND_REFERRED : FIND_REFERRED_BY_UPSTREAM_ID;
    const { phoneKey, userId } = keysOf(to);
    const [row] = await preparedQuery<ReferredRow>(this.dataSource, sql, [accountId, id, numberId, phoneKey, userId]);
    if (!row) throw wrong(field, 'names no message between this number of yours and the recipient');
    const { upstreamId } = row;
    if (upstreamId === null) throw wrong(field, 'names a message that the upstream platform has not accepted');
    return { ...row, upstreamId };
  }
}

function wrong(field: string, fault: string): AppError {
  const message = `${field} ${fault}`;
  return new AppError('INVALID_VALUE', { message, details: [{ field, message }] });
}
