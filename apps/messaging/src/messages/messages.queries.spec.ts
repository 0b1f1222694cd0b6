import { ListMessagesCommand, PageRequest, propertiesOf } from '@switchboard/contracts';
import { type MessageFilters, messageList } from './messages.queries';

const namesOf = (type: typeof PageRequest | typeof ListMessagesCommand): string[] =>
  propertiesOf(type).map(({ name }) => name);

/** Filters for which any text is not a value, or which the service converts. */
const VALUES: Record<string, Partial<MessageFilters>> = {
  direction: { direction: 'outbound' },
  phone: { contactId: 'x' },
  since: { from: 'x' },
  until: { below: 'x' },
};

describe('message list query', () => {
  const all = { accountId: 'acc_1', below: 'msg_z' };
  const pages = namesOf(PageRequest);
  const filters = namesOf(ListMessagesCommand).filter((name) => !pages.includes(name));

  it.each(filters)('applies the filter %s', (name) => {
    expect(messageList({ ...all, ...(VALUES[name] ?? { [name]: 'x' }) })).not.toEqual(messageList(all));
  });
});
