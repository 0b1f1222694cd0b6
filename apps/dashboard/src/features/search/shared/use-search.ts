import { api, must } from '../../../api/client';
import { useRead } from '../../../hooks/queries';
import { isSearchable } from './found';

/** Searches everything except message texts. */
export const useSearch = (text: string, limit: number) =>
  useRead(
    ['search', text, limit],
    () => must(api.GET('/console/v1/search', { params: { query: { q: text, limit } } })),
    {
      enabled: isSearchable(text),
    },
  );
