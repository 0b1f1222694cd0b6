import { propertiesOf } from '@switchboard/contracts';
import { MessageFilters } from '../../src/messages/message-list';

/** Contains values of the filters that accept only certain formats. */
const FORMATTED = {
  direction: 'outbound',
  status: 'failed',
  type: 'text',
  phone: '919812345678',
  jobId: 'job_01jd0000000000000000000000',
  since: '2026-03-02T10:15:00.000Z',
  until: '2026-03-03T00:00:00.000Z',
} satisfies MessageFilters;

/** Contains one value for each filter of `GET /v1/messages`: any text, unless the filter has a format. */
export const FILTER_VALUES: Record<string, string> = {
  ...Object.fromEntries(propertiesOf(MessageFilters).map(({ name }) => [name, `value of ${name}`])),
  ...FORMATTED,
};
