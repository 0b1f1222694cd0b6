import type { DataSource, EntityMetadata } from 'typeorm';

/**
 * Relations of the schema with their columns. Excludes partitions, which belong to their parent, and TypeORM's
 * migrations table.
 */
const SCHEMA = `
  SELECT relname AS relation, attname AS name, relkind = 'v' AS "isView",
    format_type(atttypid, NULL) AS type, NOT attnotnull AS "isNullable", coalesce(attnum = ANY (conkey), false) AS "isKey"
  FROM pg_class
  JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_constraint ON conrelid = pg_class.oid AND contype = 'p'
  WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition
    AND relname <> 'migrations'`;

interface Column {
  relation: string;
  name: string;
  type: string;
  isNullable: boolean;
  isKey: boolean;
  isView: boolean;
}

/**
 * Compares the entities of a DataSource with its migrated schema: tables and views, columns, types, nullability and
 * primary keys.
 * @returns one line for each difference
 */
export async function schemaDifferences(dataSource: DataSource): Promise<string[]> {
  const { schema } = dataSource.options as { schema: string };
  const columns: Column[] = await dataSource.query(SCHEMA, [schema]);
  const migrated = columns.map((column) => (column.isView ? lineOfView(column) : lineOf(column)));
  const declared = dataSource.entityMetadatas.flatMap((entity) =>
    entity.columns.filter((column) => !column.isVirtualProperty).map((column) => declaredLine(entity, column)),
  );
  return [
    ...migrated.filter((line) => !declared.includes(line)).map((line) => `no entity has ${line}`),
    ...declared.filter((line) => !migrated.includes(line)).map((line) => `no migration makes ${line}`),
  ].sort();
}

function declaredLine(
  { tableName: relation, tableType }: EntityMetadata,
  column: EntityMetadata['columns'][number],
): string {
  if (tableType === 'view') return lineOfView({ relation, name: column.databaseName });
  const { driver } = column.entityMetadata.dataSource;
  const type = column.enumName ?? driver.normalizeType(column);
  return lineOf({
    relation,
    name: column.databaseName,
    type: column.isArray ? `${type}[]` : type,
    isNullable: column.isNullable,
    isKey: column.isPrimary,
  });
}

function lineOf({ relation, name, type, isNullable, isKey }: Omit<Column, 'isView'>): string {
  return `${relation}.${name} ${type}${isNullable ? ' NULL' : ''}${isKey ? ' PRIMARY KEY' : ''}`;
}

/** Omits what is unknown for views: PostgreSQL has no nullability for their columns, and TypeORM has no types. */
function lineOfView({ relation, name }: Pick<Column, 'relation' | 'name'>): string {
  return `${relation}.${name} of a view`;
}
