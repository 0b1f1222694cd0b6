import { api, must } from '../../api/client';
import { useRead } from '../../hooks/queries';

/** Reads the webhook endpoints. Until they are loaded, no page may claim that there are none or that one is deleted. */
export const useEndpoints = () => useRead(['webhook-endpoints'], () => must(api.GET('/console/v1/webhook-endpoints')));
