import { propertiesOf } from '../body-class';
import { givenLabelsOf, LABELS, labelsOf, messageStatusChangedV1, SendLabels } from './messages.v1';

describe('labels of a message', () => {
  it('are the same in requests, records and events', () => {
    expect(LABELS).toEqual(propertiesOf(SendLabels).map(({ name }) => name));
  });

  it('are null if absent from the source', () => {
    expect(labelsOf({})).toEqual(Object.fromEntries(LABELS.map((name) => [name, null])));
    expect(labelsOf({ ...messageStatusChangedV1.sample, clientRef: 'a' }).clientRef).toBe('a');
  });

  it('are omitted from a send if null', () => {
    expect(givenLabelsOf({ clientRef: null })).toEqual({});
    expect(givenLabelsOf({ ...messageStatusChangedV1.sample, clientRef: 'a' })).toMatchObject({ clientRef: 'a' });
  });
});
