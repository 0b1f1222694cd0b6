import { useNavigate, useSearch } from '@tanstack/react-router';

type Filters = Record<string, string | undefined>;

/**
 * Filters of a list, kept in the query of the address: they survive a reload, the back button and a copied link. Typed
 * text replaces the history entry, so that the back button leaves the list immediately.
 */
export function useFilters(): [filters: Filters, change: (changed: Filters, how?: { isTyped: boolean }) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  return [
    filters,
    (changed, { isTyped } = { isTyped: false }) =>
      void navigate({ to: '.', search: { ...filters, ...changed }, replace: isTyped }),
  ];
}
