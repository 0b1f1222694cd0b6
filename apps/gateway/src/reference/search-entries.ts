import { guideSections } from './guides';

const KINDS = ['operation', 'event', 'error', 'field', 'guide'] as const;

/** Result that the search can show. */
export interface SearchEntry {
  kind: (typeof KINDS)[number];
  title: string;
  /** Parent: the path of an operation, the ancestors of a field, or the page of a section. */
  context: string;
  href: string;
  text?: string;
}

/** Returns one entry per section of the guides. */
export function guideEntries(): SearchEntry[] {
  return guideSections().map(({ page, heading, href, text }) => ({
    kind: 'guide',
    title: heading,
    context: page,
    href,
    text,
  }));
}

/** Returns the index that the site's script loads: tuples, and the pages' paths once. */
export function searchIndex(entries: readonly SearchEntry[]): string {
  const pages = [...new Set(entries.map(({ href }) => href.split('#')[0] ?? ''))];
  const tuples = entries.map(({ kind, title, context, href, text = '' }) => {
    const [page = '', fragment = ''] = href.split('#');
    return [KINDS.indexOf(kind), title, context, pages.indexOf(page), fragment, text];
  });
  return JSON.stringify({ kinds: KINDS, pages, entries: tuples });
}
