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

/** All calls of one number that is added; shorter than the command may take. */
const READ_MS = 18_000;

/** The business numbers of accounts. */
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
   * Registers a number, or renews its credentials when the account has it; the first one becomes the primary number.
   * @throws AppError UPSTREAM_ERROR when upstream does not show the number or the business account with this token,
   * INVALID_PARAMETER when the number belongs to another account, or is not of the business account
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
      // Behind the lock, so that times ascend as tokens follow each other.
      const [{ storedAt } = { storedAt: undefined }] = await tx.query<{ storedAt: string }>(CURRENT_TIME);
      const numberId = await storeNumber(tx, command, {
        ...found,
        sealedFor: (id) => this.box.seal(accessToken, tokenPlace(id)),
      });
      const sealedAccessToken = this.box.seal(accessToken, inTransit(numberAddedV1, 'sealedAccessToken', accountId));
      tx.publish(numberAddedV1, { accountId, numberId, phoneNumber, wabaId, sealedAccessToken, storedAt });
      return numberId;
    });
    this.logger.info(
      { accountId, numberId: id, phone: maskPhone(phoneNumber), wabaId, quality: found.quality_rating },
      'number.added',
    );
    return { id, phoneNumber };
  }

  /** The account's numbers, the primary one first. */
  listNumbers(accountId: string): Promise<NumberRecord[]> {
    return query<NumberRecord>(this.dataSource, LIST_NUMBERS, [accountId]);
  }

  /** A number that is not of the business account would send, but its templates would never be read. */
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

/** What upstream shows of a number, and its token sealed for the row that gets it. */
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
  });
  const numbers = tx.manager.getRepository(BusinessNumber);
  const hasPrimary = await numbers.existsBy({ accountId, isPrimary: true });
  // With its row its conversations and windows are there again.
  const known = claims[0] ?? (await tx.query<NumberClaim>(FIND_REMOVED, [accountId, phoneNumber, phoneNumberId]))[0];
  if (known) {
    await numbers.update(
      { id: known.id, accountId },
      {
        ...fieldsOf(known.id),
        removedAt: null,
        isPrimary: hasPrimary ? undefined : true,
        // New credentials are a new beginning.
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
