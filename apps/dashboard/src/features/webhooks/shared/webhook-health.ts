import { api, must, type Schemas } from '../../../api/client';
import { useRead } from '../../../hooks/queries';

const EVERY_MS = 10_000;

export type EndpointHealth = Pick<Schemas['WebhookEndpoint'], 'id' | 'url' | 'failingSince'> & {
  isFailing: boolean;
  pending: number;
};

/** Reads the health of the webhook endpoints; the only source for the overview. */
export const useWebhookHealth = () =>
  useRead(
    ['webhook-endpoints', 'health'],
    async (): Promise<EndpointHealth[]> => {
      const [{ endpoints }, { figures }] = await Promise.all([
        must(api.GET('/console/v1/webhook-endpoints')),
        must(api.GET('/console/v1/webhook-endpoints/figures')),
      ]);
      return endpoints.map(({ id, url, state, failingSince }) => ({
        id,
        url,
        failingSince,
        isFailing: state === 'degraded' || failingSince !== null,
        pending: figures.find(({ endpointId }) => endpointId === id)?.pending ?? 0,
      }));
    },
    { everyMs: () => EVERY_MS },
  );
