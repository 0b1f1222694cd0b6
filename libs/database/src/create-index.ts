import type { QueryRunner } from 'typeorm';

/**
 * Builds an index concurrently, so that writers do not wait, in a migration without a transaction. Keeps a valid index,
 * which an earlier run may have built, and rebuilds an invalid one from a failed build.
 * @param on the table and the columns, in the syntax of CREATE INDEX
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
