import { useQuery } from '@tanstack/react-query';
import { api, must } from '../../../api/client';
import { isSearchable } from './search-text';

/** Searches everything except message texts. A further search cancels the request of the previous one. */
export const useSearch = (text: string, limit: number) =>
  useQuery({
    queryKey: ['search', text, limit],
    queryFn: ({ signal }) => must(api.GET('/console/v1/search', { params: { query: { q: text, limit } }, signal })),
    enabled: isSearchable(text),
  });
