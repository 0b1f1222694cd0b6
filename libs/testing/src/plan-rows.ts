/** Node of an executed plan, as reported by PostgreSQL. */
export interface PlanNode {
  'Node Type': string;
  /** Table or partition that the node reads. */
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

type Query = (text: string, params: unknown[]) => Promise<unknown>;

const withChildren = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withChildren)];

/** Executes a statement and returns all nodes of its plan. */
export async function planNodes(query: Query, text: string, params: unknown[] = []): Promise<PlanNode[]> {
  const [row] = (await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, params)) as {
    'QUERY PLAN': { Plan: PlanNode }[];
  }[];
  return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => withChildren(Plan));
}

/** Returns the number of rows that a node filtered out. */
export const rowsPassedOver = (node: PlanNode): number => (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];

/**
 * Executes a statement and returns the number of rows it processed: all rows that any node returned or filtered out.
 */
export async function rowsRead(query: Query, text: string, params: unknown[] = []): Promise<number> {
  const nodes = await planNodes(query, text, params);
  return nodes.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'] + rowsPassedOver(node), 0);
}
