import { Injectable } from '@nestjs/common';
import type { JobsErasePersonCommand, JobsErasePersonReply } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { finishJobs } from '../outcomes/finish-jobs';
import { COUNT_PERSON, ERASE_PERSON, LOCK_JOBS_OF_PERSON } from './erase.queries';

/** Rows of one step: it holds their jobs meanwhile. */
const STEP_ROWS = 500;

@Injectable()
export class EraseService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Takes what is personal out of a bounded number of rows; refused recipients are found in the usual way of writing a
   * number, too.
   */
  async erase({ accountId, phones, dryRun }: JobsErasePersonCommand): Promise<JobsErasePersonReply> {
    const spellings = phones.flatMap((phone) => [phone, `+${phone}`]);
    const count = async (): Promise<number> =>
      (await query<{ count: number }>(this.dataSource, COUNT_PERSON, [accountId, spellings]))[0]?.count ?? 0;
    if (dryRun) return { recipients: await count(), done: true };
    const recipients = await this.transactions.run(async (tx) => {
      const jobs = await tx.query<{ id: string }>(LOCK_JOBS_OF_PERSON, [accountId, spellings, STEP_ROWS]);
      const jobIds = jobs.map(({ id }) => id);
      const [erased] = await tx.query<{ count: number }>(ERASE_PERSON, [accountId, spellings, jobIds]);
      await finishJobs(tx, jobIds);
      return erased?.count ?? 0;
    });
    return { recipients, done: (await count()) === 0 };
  }
}
