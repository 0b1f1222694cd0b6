import { api, must } from '../../api/client';
import { useRead } from '../../hooks/queries';

/** Reads the webhook endpoints. Before they are known, no page can say that there is none, or that one is deleted. */
export const useEndpoints = () => useRead(['webhook-endpoints'], () => must(api.GET('/console/v1/webhook-endpoints')));
