import { Inject, Injectable } from '@nestjs/common';
import {
  type AddNumberCommand,
  type AddNumberReply,
  addNumberV1,
  AppError,
  maskPhone,
  newId,
  type NumberRecord,
  numberAddedV1,
  numberCredentialsChangedV1,
} from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { inTransit, LOGGER, type Logger, SecretBox } from '@switchboard/platform';
import { type UpstreamClient, UpstreamError, type UpstreamNumber } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import { UPSTREAM } from '../upstream/upstream.tokens';
import { BusinessNumber } from './number.entity';
import { tokenPlace } from './number-token';
import { leaveIfUnused } from './number-removals';
import {
  CURRENT_TIME,
  FIND_CLAIMS,
  FIND_REMOVED,
  LIST_NUMBERS,
  LOCK_NUMBERS,
  type NumberClaim,
} from './numbers.queries';

/** Deadline for all upstream calls that add one number. Shorter than the timeout of the command. */
const READ_MS = 18_000;

@Injectable()
export class NumbersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    private readonly box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Adds a number, or replaces its credentials if the account already has it. The account's first number becomes the
   * primary one.
   * @throws AppError UPSTREAM_ERROR if the number or the business account cannot be read upstream with this token;
   * INVALID_PARAMETER if the number belongs to another account, or not to the business account
   */
  async addNumber(command: AddNumberCommand): Promise<AddNumberReply> {
    const { accountId, phoneNumber, wabaId } = command;
    const accessToken = this.box.open(
      command.sealedAccessToken,
      inTransit(addNumberV1, 'sealedAccessToken', accountId),
    );
    const found = await this.readUpstream(command, accessToken);
    const id = await this.transactions.run(async (tx) => {
      await tx.query(LOCK_NUMBERS);
      // Read the time under the lock, so that a later token has a later time.
      const [{ storedAt } = { storedAt: undefined }] = await tx.query<{ storedAt: string }>(CURRENT_TIME);
      const numberId = await storeNumber(tx, command, {
        ...found,
        sealedFor: (id) => this.box.seal(accessToken, tokenPlace(id)),
      });
      const sealedAccessToken = this.box.seal(accessToken, inTransit(numberAddedV1, 'sealedAccessToken', accountId));
      tx.publish(numberAddedV1, { accountId, numberId, phoneNumber, wabaId, sealedAccessToken, storedAt });
      tx.publish(numberCredentialsChangedV1, { accountId });
      return numberId;
    });
    this.logger.info(
      { accountId, numberId: id, phone: maskPhone(phoneNumber), wabaId, quality: found.quality_rating },
      'number.added',
    );
    return { id, phoneNumber };
  }

  /** Returns the numbers of an account, the primary one first. */
  listNumbers(accountId: string): Promise<NumberRecord[]> {
    return query<NumberRecord>(this.dataSource, LIST_NUMBERS, [accountId]);
  }

  /**
   * Reads the number and checks its business account. With a wrong business account, the number could send, but its
   * templates would never be read.
   */
  private async readUpstream(
    { phoneNumberId, wabaId }: AddNumberCommand,
    accessToken: string,
  ): Promise<UpstreamNumber> {
    try {
      const signal = AbortSignal.timeout(READ_MS);
      const found = await this.upstream.getNumber({ phoneNumberId, accessToken, signal });
      const numbers = await this.upstream.listNumbers({ wabaId, accessToken, signal });
      if (numbers.some(({ id }) => id === phoneNumberId)) return found;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new AppError('UPSTREAM_ERROR', { message: `the upstream platform failed: ${error.title}`, cause: error });
    }
    throw new AppError('INVALID_PARAMETER', {
      message: `phoneNumberId does not belong to business account ${wabaId} (wabaId)`,
      details: [{ field: 'wabaId', message: 'wabaId must be the business account that the number belongs to' }],
    });
  }
}

/** A number as upstream returns it, with a function that encrypts its token for its row. */
type FoundNumber = UpstreamNumber & { sealedFor: (numberId: string) => string };

async function storeNumber(tx: Transaction, command: AddNumberCommand, found: FoundNumber): Promise<string> {
  const { accountId, phoneNumber, phoneNumberId, wabaId } = command;
  const claims = await tx.query<NumberClaim>(FIND_CLAIMS, [accountId, phoneNumber, phoneNumberId]);
  if (claims.some((claim) => claim.accountId !== accountId)) {
    throw new AppError('INVALID_PARAMETER', { message: 'phoneNumberId belongs to another account' });
  }
  if (claims.length > 1)
    throw new AppError('INVALID_PARAMETER', { message: 'phoneNumberId belongs to another number of the account' });
  const fieldsOf = (numberId: string): Partial<BusinessNumber> => ({
    phoneNumber,
    phoneNumberId,
    wabaId,
    sealedAccessToken: found.sealedFor(numberId),
    qualityRating: found.quality_rating ?? null,
    messagingLimit: found.whatsapp_business_manager_messaging_limit ?? null,
    status: found.status ?? 'UNKNOWN',
    throughputLevel: found.throughput?.level ?? null,
    displayName: found.verified_name ?? null,
  });
  const numbers = tx.manager.getRepository(BusinessNumber);
  const hasPrimary = await numbers.existsBy({ accountId, isPrimary: true });
  // Reuse a removed row, so that its conversations and windows reappear.
  const known = claims[0] ?? (await tx.query<NumberClaim>(FIND_REMOVED, [accountId, phoneNumber, phoneNumberId]))[0];
  if (known) {
    await numbers.update(
      { id: known.id, accountId },
      {
        ...fieldsOf(known.id),
        removedAt: null,
        ...(known.wabaId !== wabaId && { portfolioId: null }),
        isPrimary: hasPrimary ? undefined : true,
        // New credentials end a stop.
        stoppedAt: null,
        stoppedReason: null,
        pollDueAt: () => "now() + interval '1 minute'",
        pollFailures: 0,
      },
    );
    if (known.wabaId !== wabaId) await leaveIfUnused(tx, accountId, known.wabaId);
    return known.id;
  }
  const id = newId('num');
  await numbers.insert({ ...fieldsOf(id), id, accountId, isPrimary: !hasPrimary });
  return id;
}
