import type { Input } from '@switchboard/client';
import { randomUUID } from 'node:crypto';

/** Contains a value of each label of a send (spec §3.1.9). */
export const LABELS = { clientRef: randomUUID() };

/** Contains the filters of `GET /messages` that find a message with these labels. */
export const LABEL_FILTERS: Input<'listMessages'>[] = [{ clientRef: LABELS.clientRef }];

/** Contains values of labels that the API rejects with 422. */
export const INVALID_LABELS: Record<string, unknown>[] = [{ clientRef: 'x'.repeat(129) }];
