import type { QueryRunner, ReplicationMode } from 'typeorm';
import { sendAlone } from './connection';
import { answered } from './outcome';
import { PooledDataSource } from './pools';
import { sendStatementsBy } from './statement-runner';

/** DataSource of a service. Its repositories use the pool of the current workload, as `query` does. */
export class ServiceDataSource extends PooledDataSource {
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    return sendStatementsBy(super.createQueryRunner(mode), (statement) =>
      answered(statement.text, sendAlone(this, statement)),
    );
  }
}
