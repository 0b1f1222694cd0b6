import { api, must } from '../../api/client';
import { useRead } from '../../hooks/queries';

/** Returns a function that finds the name of a user who can answer. */
export function useUserNames(): (userId: string) => string | undefined {
  const { data } = useRead(['colleagues'], () => must(api.GET('/console/v1/colleagues')));
  return (userId) => data?.colleagues.find(({ id }) => id === userId)?.name;
}
