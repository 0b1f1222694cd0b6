/** Common shape of list responses. */
export interface Page {
  pagination: { nextCursor: string | null };
}

/** Follows the cursors from the first page to the last. */
export async function* pagesOf(fetchPage: (query: object) => Promise<Page>, query: object): AsyncGenerator<Page, void> {
  let cursor: string | null | undefined;
  do {
    const page = await fetchPage(cursor ? { ...query, cursor } : query);
    yield page;
    cursor = page.pagination.nextCursor;
  } while (cursor);
}

export async function* itemsOf(pages: AsyncIterable<Page>): AsyncGenerator<unknown, void> {
  for await (const page of pages) yield* itemsIn(page);
}

/** Returns the items of a page: its only array other than `warnings`. */
function itemsIn(page: Page): unknown[] {
  const [items] = Object.entries(page).flatMap(([name, value]) =>
    name !== 'warnings' && Array.isArray(value) ? [value as unknown[]] : [],
  );
  return items ?? [];
}
