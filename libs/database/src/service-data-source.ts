import type { QueryRunner, ReplicationMode } from 'typeorm';
import { sendAlone } from './connection';
import { answered } from './outcome';
import { PooledDataSource } from './pools';
import { sendStatementsBy } from './statement-runner';

/** A service's DataSource: its repositories use the pool for the kind of work at hand, as `query` does. */
export class ServiceDataSource extends PooledDataSource {
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    return sendStatementsBy(super.createQueryRunner(mode), (statement) =>
      answered(statement.text, sendAlone(this, statement)),
    );
  }
}
