import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import { OtpErasePersonCommand, type OtpErasePersonReply, otpErasePersonV1 } from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';

/** Maximum rows of each kind per step. */
const ERASE_LIMIT = 1_000;

/** $1 account, $2 phones */
const COUNT = `
  SELECT ((SELECT count(*) FROM codes WHERE account_id = $1 AND phone = ANY ($2)) + (SELECT count(*) FROM sends
    WHERE account_id = $1 AND phone = ANY ($2)))::int AS rows`;

async function countRowsAbout(dataSource: DataSource, accountId: string, phones: string[]): Promise<number> {
  const [count] = await query<{ rows: number }>(dataSource, COUNT, [accountId, phones]);
  return count?.rows ?? 0;
}

/**
 * Deletes settled sends. An open send must still settle its credit, so its row stays, without the phone number.
 * $1 account, $2 phones, $3 maximum
 */
const LOCK_SENDS = `SELECT message_id FROM sends WHERE account_id = $1 AND phone = ANY ($2) ORDER BY message_id LIMIT $3 FOR UPDATE`;
const ERASE_SETTLED = "DELETE FROM sends WHERE account_id = $1 AND message_id = ANY ($2) AND state <> 'open'";
const FORGET_PHONE = "UPDATE sends SET phone = '' WHERE account_id = $1 AND message_id = ANY ($2) AND state = 'open'";
const ERASE_CODES = 'DELETE FROM codes WHERE account_id = $1 AND phone = ANY ($2) RETURNING phone';

/** Erases a bounded number of rows. Deletes sends before codes, which is the lock order of sending. */
async function eraseRowsAbout(
  tx: Transaction,
  accountId: string,
  phones: string[],
): Promise<{ rows: number; done: boolean }> {
  const ids = (await tx.query<{ message_id: string }>(LOCK_SENDS, [accountId, phones, ERASE_LIMIT])).map(
    ({ message_id: id }) => id,
  );
  await tx.query(ERASE_SETTLED, [accountId, ids]);
  await tx.query(FORGET_PHONE, [accountId, ids]);
  const codes = await tx.query(ERASE_CODES, [accountId, phones]);
  return { rows: ids.length + codes.length, done: ids.length < ERASE_LIMIT };
}

@Controller()
export class EraseController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  @CommandHandler(otpErasePersonV1)
  async erasePerson(@Payload() { accountId, phones, dryRun }: OtpErasePersonCommand): Promise<OtpErasePersonReply> {
    if (dryRun) return { rows: await countRowsAbout(this.dataSource, accountId, phones), done: true };
    return this.transactions.run((tx) => eraseRowsAbout(tx, accountId, phones));
  }
}
