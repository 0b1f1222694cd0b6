import type { MessageError } from '@switchboard/contracts';
import { messageIdOf } from '../recipients/message-ids';
import { type Change, mergeChanges, type RecipientChange } from './merge-changes';

const messageId = messageIdOf(7, 1_000);
const error: MessageError = {
  code: 131026,
  title: 'Undeliverable',
  message: 'not on the network',
  category: 'undeliverable',
  retriable: false,
};
const merged = (...changes: Partial<Change>[]): RecipientChange | undefined =>
  mergeChanges([
    {
      accountId: 'acc',
      jobId: 'job',
      changes: changes.map(
        (change) => ({ messageId, status: 'accepted', at: '2026-03-02T10:15:00.000Z', ...change }) as Change,
      ),
    },
  ])[0];

describe('merged changes of one recipient', () => {
  it('have the furthest state, all times and the upstream id', () => {
    expect(
      merged(
        { status: 'delivered', at: 'd' },
        { status: 'accepted', at: 'a', upstreamId: 'wamid.1' },
        { status: 'sent', at: 's' },
      ),
    ).toMatchObject({
      jobId: 'job',
      position: 7,
      messageId,
      state: 'delivered',
      upstreamId: 'wamid.1',
      error: null,
      acceptedAt: 'a',
      sentAt: 's',
      deliveredAt: 'd',
      readAt: null,
    });
  });

  it('have an error only in the failed state', () => {
    expect(merged({ status: 'failed', error })).toMatchObject({ state: 'failed', error });
    expect(merged({ status: 'failed', error }, { status: 'read' })).toMatchObject({ state: 'read', error: null });
    expect(merged({ status: 'read' }, { status: 'failed', error })).toMatchObject({ state: 'read', error: null });
  });

  it('never move back and wait only for recipient throttling', () => {
    expect(merged({ status: 'throttled', scope: 'recipient', retryAfterMs: 500 })).toMatchObject({
      state: null,
      restMs: 500,
    });
    expect(merged({ status: 'throttled', scope: 'number', retryAfterMs: 500 })).toMatchObject({
      state: null,
      restMs: 0,
    });
    expect(merged({ status: 'accepted' }, { status: 'none' })).toMatchObject({ state: 'accepted' });
    expect(merged({ status: 'held' }, { status: 'accepted' })).toMatchObject({ state: 'accepted' });
  });

  it('are empty without an internal message id', () => expect(merged({ messageId: 'wamid.1' })).toBeUndefined());
});
