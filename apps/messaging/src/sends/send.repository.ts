import { Injectable } from '@nestjs/common';
import {
  AppError,
  type HeldReason,
  labelsOf,
  type LabelSource,
  newId,
  type SendMessageCommand,
  type SendMessageRequest,
  type SpendLimit,
  type UploadedFile,
} from '@switchboard/contracts';
import {
  type BatchRow,
  failsWholeBatch,
  isDatabaseAway,
  isDatabaseUnreached,
  markSideEffect,
  type Param,
  genericPlanQuery,
  preparedQuery,
  Transactions,
} from '@switchboard/database';
import { Batcher, linkTarget, SecretBox } from '@switchboard/platform';
import { type SentMessage, UpstreamError } from '@switchboard/upstream';
import { DataSource, type ObjectLiteral } from 'typeorm';
import { heldReasonOf, reportHeld } from './held-sends';
import { errorOfCall, withoutDetails } from '../messages/message-error';
import { keysOf } from '../people/person-keys';
import { SpendLimiter } from '../spend/spend-limiter';
import { BEGIN_NOTED } from './open-sends.queries';
import { maskContent, sealContent } from './secret-content';
import { refusalOfCap } from './send-refusals';
import {
  ACCEPT_SENDS,
  ACCEPTED_SENDS,
  BEGIN_SENDS,
  type BegunSend,
  FAIL_SEND,
  FIND_SEND,
  MARK_UNKNOWN,
  RENEW_MEDIA,
  SENDS,
  type StoredSend,
} from './send.queries';

/** Checked content of a message to be inserted. */
export interface NewSend {
  content: object;
  caption: string | null;
  isMarketing: boolean;
  /** Category of the template in upper case; absent for other messages. */
  category?: string;
  mediaId: string | null;
  /** Upstream id of the message to which this one replies. */
  answeredId: string | null;
}

export type SendIds = Pick<SendMessageCommand, 'accountId' | 'messageId' | 'isSecret'>;

/** Fields of a command that are stored in addition to the content. */
export interface SendFacts extends SendIds, Pick<SendMessageCommand, 'upload' | 'jobId' | 'senderId' | 'repeatable'> {
  message: Pick<SendMessageRequest, 'to' | 'from' | 'type'> & LabelSource;
  /** Spend cap of the job. */
  maxSpend?: SpendLimit;
}

/** Maximum number of sends in one statement: more than a process usually has in progress. */
const MAX_ROWS = 100;

/** While one statement waits for the disk, the next batch fills. A locked contact does not block all sends. */
const STATEMENTS_AT_A_TIME = 2;

type BeginRow = BatchRow<typeof SENDS> & Pick<NewSend, 'category'> & Pick<SendFacts, 'maxSpend'>;
type AcceptedSend = SendIds & { upstreamId: string; held: HeldReason | null };

/**
 * Writes the rows of sends before the call, and settles them after it. Concurrent sends share one statement and one
 * commit.
 */
@Injectable()
export class SendRepository {
  private readonly begins: Batcher<BeginRow, BegunSend>;
  /** Separate batcher, so that sends without a cap never wait for locked totals. */
  private readonly limitedBegins: Batcher<BeginRow, BegunSend>;
  private readonly accepts: Batcher<AcceptedSend, StoredSend | undefined>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
    private readonly transactions: Transactions,
    private readonly limiter: SpendLimiter,
  ) {
    const options = { maxItems: MAX_ROWS, concurrency: STATEMENTS_AT_A_TIME, isCommonFailure: failsWholeBatch };
    this.begins = new Batcher((rows) => this.beginAll(rows), options);
    this.limitedBegins = new Batcher((rows) => this.beginLimited(rows), options);
    this.accepts = new Batcher((sends) => this.acceptAll(sends), options);
  }

  /**
   * Inserts the row, unless a check fails or the row exists.
   * @throws AppError UPSTREAM_TIMEOUT if it is unknown whether the row was written
   */
  async begin(command: SendMessageCommand, send: NewSend): Promise<BegunSend> {
    try {
      const begun = await this.beginOne(beginRow(command, send, this.box));
      // One statement inserts many rows, but is recorded as a side effect of only one of their requests.
      if (begun.inserted) markSideEffect();
      return begun;
    } catch (error) {
      throw mayBeWritten(error) ? new AppError('UPSTREAM_TIMEOUT', { cause: error }) : error;
    }
  }

  /**
   * Inserts many rows in one statement, separately from sends whose caller waits.
   * @returns the result of each, in the same order
   */
  async beginTogether(sends: readonly { facts: SendFacts; send: NewSend }[]): Promise<BegunSend[]> {
    const rows = sends.map(({ facts, send }) => beginRow(facts, send, this.box));
    if (rows.some((row) => this.limiter.isLimited(row))) return this.beginLimited(rows);
    const begun = await this.beginAll(rows);
    const capped = rows.filter((_row, index) => begun[index]?.refusal === 'capped');
    if (capped.length === 0) return begun;
    const limited = await this.beginLimited(capped);
    return begun.map((each) => (each.refusal === 'capped' ? (limited.shift() ?? each) : each));
  }

  async find({ accountId, messageId }: SendIds): Promise<StoredSend | undefined> {
    const [stored] = await this.run<StoredSend>(FIND_SEND, [messageId, accountId]);
    return stored;
  }

  /**
   * Starts a send that was recorded after a 504.
   * @returns true if the message is such a send and may be sent now
   * @throws AppError SPEND_CAP_REACHED, RATE_UNKNOWN
   */
  async beginNoted(facts: SendFacts, send: NewSend, begun: BegunSend): Promise<boolean> {
    const { accountId, messageId, upload, repeatable = true } = facts;
    const { content, caption, mediaId, answeredId } = send;
    const { id: numberId, isByMarketingEndpoint } = begun;
    const reference = referenceOf(answeredId);
    const parameters = {
      id: messageId,
      accountId,
      numberId,
      content: JSON.stringify(content),
      caption,
      mediaId,
      upload: upload && JSON.stringify(factsOf(upload)),
      reference: reference && JSON.stringify(reference),
      repeatable: repeatable && !isByMarketingEndpoint,
      sendTrace: linkTarget(),
    };
    const hasBegun = begun.isLimited
      ? await this.beginNotedLimited(sendRow(facts, send), parameters)
      : (await this.run(BEGIN_NOTED, parameters)).length > 0;
    if (hasBegun) markSideEffect();
    return hasBegun;
  }

  /** Stores the new media id of a send in progress. */
  async renewMedia({ accountId, messageId }: SendIds, mediaId: string): Promise<void> {
    await this.run(RENEW_MEDIA, [messageId, accountId, mediaId]);
  }

  /**
   * Stores the outcome of the call.
   * @returns the current row, which a callback may have settled first
   */
  storeOutcome(ids: SendIds, outcome: SentMessage | UpstreamError): Promise<StoredSend | undefined> {
    if (!(outcome instanceof UpstreamError)) {
      const held = heldReasonOf(outcome);
      return this.settled(ids, this.accepts.add({ ...ids, upstreamId: outcome.messageId, held }));
    }
    if (outcome.kind === 'unknown-outcome')
      return this.settled(ids, this.settle(MARK_UNKNOWN, ids, outcome.wasReceived));
    const error = errorOfCall(outcome);
    return this.settled(ids, this.settle(FAIL_SEND, ids, JSON.stringify(ids.isSecret ? withoutDetails(error) : error)));
  }

  private async settle(
    sql: string,
    { messageId, accountId }: SendIds,
    ...values: (string | boolean)[]
  ): Promise<StoredSend | undefined> {
    const [stored] = await genericPlanQuery<StoredSend>(this.dataSource, sql, [messageId, accountId, ...values]);
    return stored;
  }

  private async settled(ids: SendIds, settling: Promise<StoredSend | undefined>): Promise<StoredSend | undefined> {
    try {
      return (await settling) ?? (await this.find(ids));
    } catch (error) {
      // Upstream was called, but the row does not show it. The reconciler settles the message.
      throw new AppError('UPSTREAM_TIMEOUT', { cause: error });
    }
  }

  private async run<Row>(sql: string, params: unknown[] | ObjectLiteral): Promise<Row[]> {
    try {
      return await preparedQuery<Row>(this.dataSource, sql, params);
    } catch (error) {
      throw mayBeWritten(error) ? new AppError('UPSTREAM_TIMEOUT', { cause: error }) : error;
    }
  }

  private async beginOne(row: BeginRow): Promise<BegunSend> {
    if (!this.limiter.isLimited(row)) {
      const begun = await this.begins.add(row);
      if (begun.refusal !== 'capped') return begun;
    }
    return this.limitedBegins.add(row);
  }

  /** Inserts the rows of messages that fit within the spend caps, and reserves their prices. */
  private async beginLimited(rows: readonly BeginRow[]): Promise<BegunSend[]> {
    const reserving = rows.map((row) => ({ ...row, isReserved: true }));
    const begun = await this.limiter.begin(reserving, (tx, fitting) =>
      tx.queryPrepared<BegunSend>(BEGIN_SENDS, SENDS.parameters(fitting)),
    );
    return begun.map((each) =>
      'reason' in each ? { ...NOT_BEGUN, refusal: each.refusal, capReason: each.reason } : { ...each, isLimited: true },
    );
  }

  private async beginNotedLimited(row: BeginRow, parameters: ObjectLiteral): Promise<boolean> {
    try {
      const [begun] = await this.limiter.begin([row], async (tx) => [
        { inserted: (await tx.queryPrepared(BEGIN_NOTED, parameters)).length > 0 },
      ]);
      if (begun && 'reason' in begun) throw refusalOfCap(begun.refusal, begun.reason);
      return begun?.inserted === true;
    } catch (error) {
      throw mayBeWritten(error) ? new AppError('UPSTREAM_TIMEOUT', { cause: error }) : error;
    }
  }

  private beginAll(rows: BeginRow[]): Promise<BegunSend[]> {
    return genericPlanQuery<BegunSend>(this.dataSource, BEGIN_SENDS, SENDS.parameters(rows));
  }

  private async acceptAll(sends: AcceptedSend[]): Promise<(StoredSend | undefined)[]> {
    const columns = ACCEPTED_SENDS.parameters(sends, { id: ({ messageId }) => messageId });
    const held = sends.filter((send) => send.held !== null);
    const stored =
      held.length > 0
        ? await this.acceptWithHeld(columns, held)
        : await genericPlanQuery<StoredSend & { id: string }>(this.dataSource, ACCEPT_SENDS, columns);
    const byId = new Map(stored.map((row) => [row.id, row]));
    return sends.map(({ messageId }) => byId.get(messageId));
  }

  /**
   * Accepts the sends and publishes the held ones in one transaction. Held messages are rare, so other sends skip it.
   */
  private acceptWithHeld(columns: Param[], held: AcceptedSend[]): Promise<(StoredSend & { id: string })[]> {
    return this.transactions.run(async (tx) => {
      const stored = await tx.query<StoredSend & { id: string }>(ACCEPT_SENDS, columns);
      await reportHeld(
        tx,
        held.flatMap(({ accountId, messageId, held: reason }) => (reason ? [{ accountId, messageId, reason }] : [])),
      );
      return stored;
    });
  }
}

/** Result of a send for which no row was inserted. */
const NOT_BEGUN = {
  id: '',
  wabaId: '',
  phoneNumberId: '',
  sealedAccessToken: '',
  stoppedReason: null,
  isByMarketingEndpoint: false,
  inserted: false,
};

/** Builds the row. For a secret, it contains masked content, and the encrypted original until the outcome is known. */
function beginRow(facts: SendFacts, send: NewSend, box: SecretBox): BeginRow {
  const row = sendRow(facts, send);
  if (!facts.isSecret) return row;
  return { ...row, ...maskContent(send), sealedContent: sealContent(send, box, facts.messageId) };
}

/** Builds the row with all stored fields of the command. */
export function sendRow(facts: SendFacts, send: NewSend): BeginRow {
  const { content, caption, mediaId, answeredId, isMarketing, category } = send;
  const { accountId, messageId, message, upload, jobId = null, senderId = null, repeatable = true, maxSpend } = facts;
  return {
    id: messageId,
    accountId,
    recipient: message.to,
    type: message.type,
    ...labelsOf(message),
    content,
    caption,
    senderId,
    mediaId,
    upload: upload ? factsOf(upload) : null,
    jobId,
    repeatable,
    sealedContent: null,
    reference: referenceOf(answeredId),
    sendTrace: linkTarget(),
    wanted: message.from ?? null,
    ...keysOf(message.to),
    newContactId: newId('ct'),
    isMarketing,
    isReserved: false,
    ...(category !== undefined && { category }),
    ...(maxSpend && { maxSpend }),
  };
}

function referenceOf(answeredId: string | null): object | null {
  return answeredId === null ? null : { context: { messageId: answeredId } };
}

/**
 * Returns true if the row may exist although the response was lost. The reconciler then sends the message, so the
 * caller must not receive a failure.
 */
function mayBeWritten(error: unknown): boolean {
  return isDatabaseAway(error) && !isDatabaseUnreached(error);
}

function factsOf({ mimeType, bytes, sha256, filename }: UploadedFile): object {
  return { mimeType, bytes, sha256, ...(filename && { filename }) };
}
