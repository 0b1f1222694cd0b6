interface Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** Rows that all steps of a plan handed on or passed over. */
const rowsOf = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);

/** Runs a statement and counts the rows that it went through. */
export async function rowsRead(
  query: (text: string, params: unknown[]) => Promise<unknown>,
  text: string,
  params: unknown[],
): Promise<number> {
  const [row] = (await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, params)) as {
    'QUERY PLAN': { Plan: Node }[];
  }[];
  const [explained] = row?.['QUERY PLAN'] ?? [];
  return explained ? rowsOf(explained.Plan) : 0;
}
