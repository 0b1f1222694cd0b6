import { api, must } from '../../../api/client';
import { useRead } from '../../../hooks/queries';

/** Reads the saved replies of the account, by name. */
export function useSavedReplies({ enabled = true } = {}) {
  return useRead(['saved-replies'], () => must(api.GET('/console/v1/saved-replies')), { enabled });
}
