import { getMetadataArgsStorage } from 'typeorm';
import type { Param } from './transactions';

/** SQL types supported in batches, with the TypeScript types of their values. */
interface SqlValues {
  text: string;
  uuid: string;
  int: number;
  float8: number;
  boolean: boolean;
  /** Accepts an ISO string as well as a Date. */
  timestamptz: Date | string;
  bytea: Buffer;
  /** Stored as its JSON; null becomes SQL NULL. */
  jsonb: object;
}

type SqlType = keyof SqlValues;

interface TableColumn<Value> {
  readonly name: string;
  readonly type: string;
  /** Never set. Carries the type for the compiler. */
  readonly value?: Value;
}

/** Columns of a batch by property. A column of no table is declared by its SQL type, and is nullable. */
type Columns = Readonly<Record<string, SqlType | TableColumn<unknown>>>;

type ValueOf<Column> = Column extends SqlType
  ? SqlValues[Column] | null
  : Column extends TableColumn<infer Value>
    ? Value
    : never;

type RowOf<Given extends Columns> = { readonly [Property in keyof Given]: ValueOf<Given[Property]> };

/** Row with exactly the properties of a batch: `BatchRow<typeof SENDS>`. */
export type BatchRow<OfBatch> = OfBatch extends Batch<infer Given> ? RowOf<Given> : never;

/**
 * Returns the names, types and nullability of an entity's columns, for `batchOf`.
 * @throws Error when a property is not a column
 */
export function columnsOf<Entity extends object, const Properties extends readonly (keyof Entity & string)[]>(
  entity: new () => Entity,
  properties: Properties,
): { readonly [P in Properties[number]]: TableColumn<Entity[P] | (Date extends Entity[P] ? string : never)> } {
  const columns = getMetadataArgsStorage().filterColumns(entity);
  const found = properties.map((property) => {
    const options = columns.find(({ propertyName }) => propertyName === property)?.options;
    if (typeof options?.type !== 'string') throw new Error(`${entity.name}.${property} is no column with a type`);
    return [property, { name: options.name ?? property, type: options.type }];
  });
  return Object.fromEntries(found) as ReturnType<typeof columnsOf<Entity, Properties>>;
}

/** Returns the SQL names of columns as a list, for a table that has only some of a batch's columns. */
export function columnNames(columns: Columns): string {
  return Object.entries(columns)
    .map(([property, column]) => nameOf(property, column))
    .join(', ');
}

/**
 * Returns the SQL of columns for SELECT or RETURNING, each under the name of its property.
 * @param table name of the table, needed when several tables have such columns
 */
export function selectList(columns: Columns, table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`;
  return Object.entries(columns)
    .map(([property, column]) => `${prefix}${nameOf(property, column)} AS "${property}"`)
    .join(', ');
}

/**
 * Declares the rows that one statement receives as lists, with one parameter per column. `unnest` and `parameters` use
 * the order of the declaration, so no position is counted by hand.
 * @param columns by property; `columnsOf` derives them from an entity, and any other is named in snake case
 * @param options.from number of the first list's parameter
 */
export function batchOf<Given extends Columns>(columns: Given, options: { from?: number } = {}): Batch<Given> {
  return new Batch(columns, options.from ?? 1);
}

class Batch<Given extends Columns> {
  /** SQL names of the columns, as a list. */
  readonly names: string;
  /** Number of the parameter after the last list. */
  readonly next: number;
  private readonly columns: readonly { property: string; name: string; type: string }[];

  constructor(
    given: Given,
    private readonly from: number,
  ) {
    this.columns = Object.entries(given).map(([property, column]) => ({
      property,
      name: nameOf(property, column),
      type: typeof column === 'string' ? column : column.type,
    }));
    this.names = columnNames(given);
    this.next = from + this.columns.length;
  }

  /**
   * Returns the SQL of the rows, for FROM.
   * @param ordinality name of a column with the row numbers, from 1
   */
  unnest(alias: string, ordinality?: string): string {
    const lists = this.columns.map(({ type }, index) => `$${this.from + index}::${type}[]`).join(', ');
    return ordinality === undefined
      ? `unnest(${lists}) AS ${alias} (${this.names})`
      : `unnest(${lists}) WITH ORDINALITY AS ${alias} (${this.names}, ${ordinality})`;
  }

  /** Returns the SQL of one column of all rows, as an array. */
  list(property: keyof Given & string): string {
    const index = this.columns.findIndex((column) => column.property === property);
    return `$${this.from + index}::${this.columns[index]?.type}[]`;
  }

  /**
   * Returns the lists in declaration order.
   * @param derived columns that the rows contain under another name, or in another form than stored
   */
  parameters<Row extends RowOf<Omit<Given, Derived>>, Derived extends keyof Given = never>(
    rows: readonly Row[],
    derived?: { readonly [Property in Derived]: (row: Row) => ValueOf<Given[Property]> },
  ): Param[] {
    const readers = derived as Readonly<Record<string, (row: Row) => unknown>> | undefined;
    return this.columns.map(({ property, type }) => {
      const read = readers?.[property];
      const values = read
        ? rows.map((row) => read(row))
        : valuesOf(rows as readonly Record<string, unknown>[], property);
      return (type === 'jsonb' ? values.map(jsonOf) : values) as Param[];
    });
  }
}

/** Use a plain loop, because a closure per column is slower. */
function valuesOf(rows: readonly Record<string, unknown>[], property: string): unknown[] {
  const values: unknown[] = [];
  for (const row of rows) values.push(row[property]);
  return values;
}

function jsonOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function nameOf(property: string, column: SqlType | TableColumn<unknown>): string {
  if (typeof column !== 'string') return column.name;
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
