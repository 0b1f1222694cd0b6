import { Inject, Injectable } from '@nestjs/common';
import { AppError, type MessageRecord, type SendMessageCommand, timeOfId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { activity, Every, type Logger, LOGGER, Wakeup } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import { withinDatabaseDeadline } from '../http/database-deadline';

const EVERY_MS = 1_000;
const BATCH_SIZE = 100;

/** $1 message, $2 account, $3 command */
const STORE = `
  INSERT INTO open_sends (message_id, account_id, command) VALUES ($1, $2, $3::jsonb)
  ON CONFLICT (message_id) DO NOTHING`;
/** $1 message, $2 account */
const FIND = 'SELECT command FROM open_sends WHERE message_id = $1 AND account_id = $2';
/** $1 maximum rows */
const FIND_OLDEST = 'SELECT command FROM open_sends ORDER BY created_at LIMIT $1';
/** $1 message */
const REMOVE = 'DELETE FROM open_sends WHERE message_id = $1';

interface StoredSend {
  command: SendMessageCommand;
}

/**
 * Stores sends that ended with 504. The messaging process may have died before it stored the message, so the gateway
 * stores the send before it responds, and forwards it until messaging has stored the message (spec §3.9.3).
 */
@Injectable()
export class OpenSends {
  readonly wakeup = new Wakeup();

  constructor(
    private readonly dataSource: DataSource,
    private readonly messaging: MessagingClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns true if the send can be found by its id from now on */
  async note(command: SendMessageCommand): Promise<boolean> {
    const { messageId, accountId } = command;
    try {
      await withinDatabaseDeadline(query(this.dataSource, STORE, [messageId, accountId, JSON.stringify(command)]));
    } catch (error) {
      this.logger.warn({ err: error, messageId, accountId }, 'open-send.store-failed');
      return this.pass(command).catch(() => false);
    }
    this.wakeup.wake();
    return true;
  }

  /**
   * Finds a message of the account.
   * @throws AppError NOT_FOUND if there is neither a message nor an open send that messaging can record
   */
  async getMessage(accountId: string, id: string): Promise<MessageRecord> {
    const get = async (): Promise<MessageRecord> => (await this.messaging.getMessage({ accountId, id })).message;
    try {
      return await get();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND' || !timeOfId('msg', id)) throw error;
      const [stored] = await withinDatabaseDeadline(query<StoredSend>(this.dataSource, FIND, [id, accountId]));
      // Removed concurrently, after messaging had recorded it.
      if (stored && !(await this.pass(stored.command))) throw error;
      return get();
    }
  }

  /** @returns true if more may remain */
  @Every({ name: 'open-sends', everyMs: EVERY_MS, restsWhenIdle: true, wakeup: (sends: OpenSends) => sends.wakeup })
  async passAll(): Promise<boolean> {
    const stored = await query<StoredSend>(this.dataSource, FIND_OLDEST, [BATCH_SIZE]);
    if (stored.length > 0) activity.note();
    let removed = 0;
    for (const { command } of stored) {
      if (!(await this.isPassed(command))) continue;
      await query(this.dataSource, REMOVE, [command.messageId]);
      removed += 1;
    }
    return removed === BATCH_SIZE;
  }

  /**
   * Forwards one send. A send that messaging cannot record does not stop the others.
   * @throws AppError while messaging is unavailable
   */
  private async isPassed(command: SendMessageCommand): Promise<boolean> {
    const facts = { messageId: command.messageId, accountId: command.accountId };
    try {
      if (!(await this.pass(command))) this.logger.warn(facts, 'open-send.no-number');
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.status > 500) throw error;
      this.logger.error({ err: error, ...facts }, 'open-send.failed');
      return error.status < 500;
    }
  }

  /** @returns false for an account without a number, which sent nothing */
  private async pass(command: SendMessageCommand): Promise<boolean> {
    return (await this.messaging.noteOpenSend(command)).recorded;
  }
}
