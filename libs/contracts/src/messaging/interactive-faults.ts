const MOST_ROWS = 10;

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
  if (given.length > 1 && given.some((section) => section?.title === undefined || section.title === null))
    return 'must each have a title when there are more than one';
  return repeated(
    'row id',
    rows.map((row) => row?.id),
  );
}

function repeated(what: string, values: readonly unknown[]): string | undefined {
  const texts = textsOf(values);
  return new Set(texts).size < texts.length ? `must have each ${what} once` : undefined;
}
