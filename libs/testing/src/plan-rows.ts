/** A step of a plan that was carried out, as PostgreSQL tells it. */
export interface PlanNode {
  'Node Type': string;
  /** The table or part of a table that it reads. */
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

type Query = (text: string, params: unknown[]) => Promise<unknown>;

const withChildren = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withChildren)];

/** Carries a statement out and gives all steps of its plan. */
export async function planNodes(query: Query, text: string, params: unknown[] = []): Promise<PlanNode[]> {
  const [row] = (await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, params)) as {
    'QUERY PLAN': { Plan: PlanNode }[];
  }[];
  return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => withChildren(Plan));
}

/** Rows that a step passed over. */
export const rowsPassedOver = (node: PlanNode): number => (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];

/** Carries a statement out and counts the rows that it went through: all steps handed them on or passed them over. */
export async function rowsRead(query: Query, text: string, params: unknown[] = []): Promise<number> {
  const nodes = await planNodes(query, text, params);
  return nodes.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'] + rowsPassedOver(node), 0);
}
