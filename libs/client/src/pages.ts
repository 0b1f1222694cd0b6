/** A page of any list. */
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

/** The items of each page: its one array. */
export async function* itemsOf(pages: AsyncIterable<Page>): AsyncGenerator<unknown, void> {
  for await (const page of pages) yield* (Object.values(page).find(Array.isArray) as unknown[] | undefined) ?? [];
}
