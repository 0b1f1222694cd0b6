import type { Schemas } from '../../../api/client';

type Delivery = Schemas['WebhookDelivery'];

/** Returns the API name of an event, with the status that it reports: `message_status: read`. */
export const eventNameOf = ({ kind, status }: Pick<Schemas['WebhookEvent'], 'kind' | 'status'>): string =>
  status ? `${kind}: ${status}` : kind;

/**
 * Returns whether a delivery repeats an earlier one of its event to the same endpoint.
 * @param all deliveries of the event, in order of creation
 */
export const isReplay = ({ id, endpointId }: Delivery, all: readonly Delivery[]): boolean =>
  all.find((each) => each.endpointId === endpointId)?.id !== id;
