import { Inject, Injectable } from '@nestjs/common';
import { type AddNumberCommand, type AddNumberReply, AppError, maskPhone, newId, type NumberRecord, numberAddedV1 } from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, unseal } from '@switchboard/platform';
import { type UpstreamClient, UpstreamError, type UpstreamNumber } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { UPSTREAM } from '../upstream.token';
import { CURRENT_TIME, FIND_CLAIMS, FIND_REMOVED, INSERT_NUMBER, LIST_NUMBERS, LOCK_NUMBERS, type NumberClaim, UPDATE_NUMBER } from './numbers.queries';

/** The business numbers of accounts. */
@Injectable()
export class NumbersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    @Inject(CONFIG) private readonly config: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Registers a number, or renews its credentials when the account has it; the first one becomes the primary number.
   * @throws AppError UPSTREAM_ERROR when upstream does not show the number with this token,
   * INVALID_PARAMETER when the number belongs to another account
   */
  async addNumber(command: AddNumberCommand): Promise<AddNumberReply> {
    const { accountId, phoneNumber, wabaId, sealedAccessToken } = command;
    const found = await this.readUpstream(command);
    const id = await this.transactions.run(async (tx) => {
      await tx.query(LOCK_NUMBERS);
      // Behind the lock, so that times ascend as tokens follow each other.
      const [{ storedAt } = { storedAt: undefined }] = await tx.query<{ storedAt: string }>(CURRENT_TIME);
      const numberId = await storeNumber(tx, command, found);
      tx.publish(numberAddedV1, { accountId, numberId, phoneNumber, wabaId, sealedAccessToken, storedAt });
      return numberId;
    });
    this.logger.info({ accountId, numberId: id, phone: maskPhone(phoneNumber), wabaId, quality: found.quality_rating }, 'number.added');
    return { id, phoneNumber };
  }

  /** The account's numbers, the primary one first. */
  listNumbers(accountId: string): Promise<NumberRecord[]> {
    return query<NumberRecord>(this.dataSource, LIST_NUMBERS, [accountId]);
  }

  private async readUpstream({ phoneNumberId, sealedAccessToken }: AddNumberCommand): Promise<UpstreamNumber> {
    try {
      return await this.upstream.getNumber({ phoneNumberId, accessToken: unseal(sealedAccessToken, this.config.ENCRYPTION_KEY) });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new AppError('UPSTREAM_ERROR', { message: `the upstream platform failed: ${error.title}`, cause: error });
    }
  }
}

async function storeNumber(tx: Transaction, command: AddNumberCommand, found: UpstreamNumber): Promise<string> {
  const { accountId, phoneNumber, phoneNumberId, wabaId, sealedAccessToken } = command;
  const claims = await tx.query<NumberClaim>(FIND_CLAIMS, [accountId, phoneNumber, phoneNumberId]);
  if (claims.some((claim) => claim.accountId !== accountId)) {
    throw new AppError('INVALID_PARAMETER', { message: 'phoneNumberId belongs to another account' });
  }
  if (claims.length > 1) throw new AppError('INVALID_PARAMETER', { message: 'phoneNumberId belongs to another number of the account' });
  const upstreamFields = [found.quality_rating ?? null, found.whatsapp_business_manager_messaging_limit ?? null, found.status ?? 'UNKNOWN', found.throughput?.level ?? null];
  const fields = [phoneNumber, phoneNumberId, wabaId, sealedAccessToken, ...upstreamFields];
  // With its row its conversations and windows are there again.
  const known = claims[0] ?? (await tx.query<NumberClaim>(FIND_REMOVED, [accountId, phoneNumber, phoneNumberId]))[0];
  if (known) {
    await tx.query(UPDATE_NUMBER, [known.id, accountId, ...fields]);
    return known.id;
  }
  const id = newId('num');
  await tx.query(INSERT_NUMBER, [id, accountId, ...fields]);
  return id;
}
