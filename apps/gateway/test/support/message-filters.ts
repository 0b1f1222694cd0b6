import type { MessageFilters } from '../../src/messages/message-list';

/** Contains one value for each filter of `GET /v1/messages`. */
export const FILTER_VALUES: Required<MessageFilters> = {
  direction: 'outbound',
  status: 'failed',
  type: 'text',
  phone: '919812345678',
  jobId: 'job_01jd0000000000000000000000',
  clientRef: 'order-7781',
  messageId: 'wamid.A=',
  groupId: 'Y2FwaV9ncm91cDox',
  since: '2026-03-02T10:15:00.000Z',
  until: '2026-03-03T00:00:00.000Z',
};
