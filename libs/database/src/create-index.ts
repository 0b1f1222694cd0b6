import type { QueryRunner } from 'typeorm';

/**
 * Builds an index beside the writers, who would otherwise wait for it, in a migration without a transaction. One that
 * is there stays: a run before this one may have used it already. What a broken build left behind is built anew.
 * @param on the table and the columns, as CREATE INDEX names them
 */
export async function createIndexBeside(runner: QueryRunner, name: string, on: string): Promise<void> {
  const [known] = (await runner.query(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )) as { isValid: boolean }[];
  if (known?.isValid) return;
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}
