const MOST_ROWS = 10;
/** Maximum number of products in a list, over all sections. */
export const MOST_PRODUCTS = 30;

/** Unvalidated value of a part, as the caller sent it. */
type Given = Record<string, unknown> | null | undefined;

const listOf = (value: unknown): Given[] => (Array.isArray(value) ? (value as Given[]) : []);
const textsOf = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');

/** Describes why an id is invalid. The platform trims ids, so a reply would contain a different id. */
export function idFault(id: unknown): string | undefined {
  return typeof id === 'string' && id !== id.trim() ? 'must not begin or end with white space' : undefined;
}

/** Describes why a list of reply buttons is invalid as a whole. */
export function buttonsFault(buttons: unknown): string | undefined {
  const replies = listOf(buttons).map((button) => button?.reply as Given);
  return (
    repeated(
      'id',
      replies.map((reply) => reply?.id),
    ) ??
    repeated(
      'title',
      replies.map((reply) => reply?.title),
    )
  );
}

/** Describes why the sections of a list are invalid as a whole. */
export function sectionsFault(sections: unknown): string | undefined {
  const given = listOf(sections);
  const rows = given.flatMap((section) => listOf(section?.rows));
  if (rows.length > MOST_ROWS) return `must have at most ${MOST_ROWS} rows in all`;
  return (
    titlesFault(given) ??
    repeated(
      'row id',
      rows.map((row) => row?.id),
    )
  );
}

/** Describes why the sections of a product list are invalid as a whole. */
export function productSectionsFault(sections: unknown): string | undefined {
  const given = listOf(sections);
  const products = given.flatMap((section) => listOf(section?.productItems));
  if (products.length > MOST_PRODUCTS) return `must have at most ${MOST_PRODUCTS} products in total`;
  return titlesFault(given);
}

function titlesFault(sections: readonly Given[]): string | undefined {
  return sections.length > 1 && sections.some((section) => isAbsent(section?.title))
    ? 'must each have a title when there are more than one'
    : undefined;
}

/** Describes why a flow's first screen cannot be set. */
export function flowPayloadFault(_payload: unknown, parameters: Record<string, unknown>): string | undefined {
  return parameters.flowAction === 'data_exchange' ? 'is only supported for the flowAction navigate' : undefined;
}

/** Describes why the input of a flow's first screen is invalid. */
export function flowDataFault(data: unknown): string | undefined {
  const isEmpty = typeof data === 'object' && data !== null && Object.keys(data).length === 0;
  return isEmpty ? 'must have at least one member' : undefined;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function repeated(what: string, values: readonly unknown[]): string | undefined {
  const texts = textsOf(values);
  return new Set(texts).size < texts.length ? `must have each ${what} once` : undefined;
}
