import { Injectable } from '@nestjs/common';
import { BodySchema, Doc, isId, OrNull } from '@switchboard/contracts';
import { IsIn, IsString } from 'class-validator';
import { DataSource } from 'typeorm';
import { namesOf } from '../audit-log/audit-log';

const AUTHOR_KINDS = ['user', 'key', 'job'] as const;

/** User, API key or bulk job that sent a message. */
@BodySchema({ name: 'MessageAuthor' })
export class MessageAuthor {
  @IsIn(AUTHOR_KINDS) kind: (typeof AUTHOR_KINDS)[number];
  @IsString() id: string;
  @Doc('Name of the user or API key; null for a job, or if unknown') @OrNull() @IsString() name: string | null;
}

interface Sent {
  senderId?: string | null;
  jobId?: string | null;
}

/** Finds out who sent messages, for the dashboard. */
@Injectable()
export class MessageAuthors {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns the author of each message, null if unknown and for inbound messages */
  async of(accountId: string, messages: readonly Sent[]): Promise<(MessageAuthor | null)[]> {
    const names = await this.namesOf(
      accountId,
      messages.flatMap(({ senderId }) => senderId ?? []),
    );
    return messages.map(({ senderId, jobId = null }) => {
      if (senderId != null)
        return { kind: isId('usr', senderId) ? 'user' : 'key', id: senderId, name: names.get(senderId) ?? null };
      return jobId === null ? null : { kind: 'job', id: jobId, name: null };
    });
  }

  /** Returns the current names of users and API keys, by id. */
  async namesOf(accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
    return ids.length > 0 ? namesOf(this.dataSource, accountId, [...new Set(ids)]) : new Map<string, string>();
  }
}
