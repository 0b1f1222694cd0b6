const MOST_ROWS = 10;

/** What the caller may have sent in the place of a part. */
type Given = Record<string, unknown> | null | undefined;

const listOf = (value: unknown): Given[] => (Array.isArray(value) ? (value as Given[]) : []);
const textsOf = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');

/** The platform cuts white space off, and the answer would name another id. */
export function idFault(id: unknown): string | undefined {
  return typeof id === 'string' && id !== id.trim() ? 'must not begin or end with white space' : undefined;
}

/** What is wrong with the reply buttons of a message together. */
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

/** What is wrong with the sections of a list together. */
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
