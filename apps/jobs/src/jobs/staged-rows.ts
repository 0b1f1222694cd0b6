import { Injectable } from '@nestjs/common';
import { AppError, type CreateJobCommand, type JobRow, type StageJobRowsCommand } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { Every, UPKEEP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { DROP_STAGED_ROWS, PURGE_STAGED_ROWS, READ_STAGED_ROWS, STAGE_ROWS } from './create-job.queries';

const PURGE_EVERY_MS = 600_000;

/** Parts of lists that are too long for one message. */
@Injectable()
export class StagedRows {
  constructor(private readonly dataSource: DataSource) {}

  /** Keeps a part; the same part again changes nothing. */
  async stage({ accountId, jobId, part, rows }: StageJobRowsCommand): Promise<void> {
    await query(this.dataSource, STAGE_ROWS, [accountId, jobId, part, JSON.stringify(rows)]);
  }

  /**
   * All rows of a job in their order, read part by part.
   * @throws AppError UNAVAILABLE when a part is gone: the list must be given again
   */
  async *batchesOf({ accountId, jobId, parts = 0, rows }: CreateJobCommand): AsyncGenerator<readonly JobRow[]> {
    for (let part = 0; part < parts; part += 1) {
      const [staged] = await query<{ rows: string }>(this.dataSource, READ_STAGED_ROWS, [accountId, jobId, part]);
      if (!staged) throw new AppError('UNAVAILABLE');
      yield JSON.parse(staged.rows) as JobRow[];
    }
    yield rows;
  }

  async drop({ accountId, jobId }: CreateJobCommand): Promise<void> {
    await query(this.dataSource, DROP_STAGED_ROWS, [accountId, jobId]);
  }

  /** Removes what nobody made a job of. */
  @Every({ name: 'jobs.purge', everyMs: PURGE_EVERY_MS, statementMs: UPKEEP_STATEMENT_MS })
  async purge(): Promise<void> {
    await query(this.dataSource, PURGE_STAGED_ROWS);
  }
}
