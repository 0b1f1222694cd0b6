import { AppError, parseBody, SendLabels } from '@switchboard/contracts';
import { FILTER_VALUES } from '../../test/support/message-filters';
import { Paged } from '../pagination/page-query';
import { MessageFilters } from './message-list';

class ListMessagesQuery extends Paged(MessageFilters) {}

const read = (query: object): ListMessagesQuery => parseBody(ListMessagesQuery, query);

function codeOf(query: object): string {
  try {
    read(query);
    return 'taken';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('message list query', () => {
  it('defaults to the first 20 messages', () => {
    expect(read({})).toEqual({ page: 1, limit: 20 });
  });

  it('clamps the limit to 100', () => {
    expect(read({ limit: '5000', page: '3' })).toMatchObject({ limit: 100, page: 3 });
    expect(read({ limit: '9'.repeat(400) })).toMatchObject({ limit: 100 });
    expect(Number.isSafeInteger(read({ page: '9'.repeat(400) }).page * 100)).toBe(true);
  });

  it('accepts every filter', () => {
    const query = { ...FILTER_VALUES, cursor: 'abc_-9' };
    expect(read(query)).toMatchObject(query);
  });

  it.each(['x', '€', '😀', '❤\uFE0F'])('accepts the clientRef of a send, 128 times %s', (character) => {
    const clientRef = character.repeat(128);
    expect(parseBody(SendLabels, { clientRef })).toEqual({ clientRef });
    expect(read({ clientRef })).toMatchObject({ clientRef });
    expect(codeOf({ clientRef: clientRef + character })).toBe('INVALID_VALUE');
  });

  it('ignores unknown parameters', () => {
    expect(codeOf({ unknown: 'x', __proto__: 'y' })).toBe('taken');
  });

  it.each([
    [{ page: '0' }, 'INVALID_PARAMETER'],
    [{ page: '-1' }, 'INVALID_PARAMETER'],
    [{ page: '1.5' }, 'INVALID_PARAMETER'],
    [{ page: '' }, 'INVALID_PARAMETER'],
    [{ page: 'one' }, 'INVALID_PARAMETER'],
    [{ page: '1e3' }, 'INVALID_PARAMETER'],
    [{ page: '١' }, 'INVALID_PARAMETER'],
    [{ page: ['1', '2'] }, 'INVALID_PARAMETER'],
    [{ limit: '00' }, 'INVALID_PARAMETER'],
    [{ page: '9'.repeat(30) }, 'taken'],
    [{ direction: 'up' }, 'INVALID_PARAMETER'],
    [{ status: 'sending' }, 'INVALID_PARAMETER'],
    [{ status: 'unknown' }, 'taken'],
    [{ clientRef: 'a'.repeat(129) }, 'INVALID_VALUE'],
    [{ clientRef: '\u0000' }, 'INVALID_VALUE'],
    [{ messageId: '' }, 'INVALID_VALUE'],
    [{ type: "text'--" }, 'INVALID_PARAMETER'],
    [{ type: 'hologram' }, 'INVALID_PARAMETER'],
    [{ phone: '+919812345678' }, 'INVALID_PHONE'],
    [{ jobId: 'msg_1' }, 'INVALID_PARAMETER'],
    [{ since: 'soon' }, 'INVALID_VALUE'],
    [{ phone: '\u0000' }, 'INVALID_PHONE'],
    [{ cursor: '\u0000' }, 'INVALID_PARAMETER'],
    [{ cursor: '' }, 'INVALID_PARAMETER'],
    [{ cursor: 'a'.repeat(513) }, 'INVALID_PARAMETER'],
  ])('validates %j: %s', (query, code) => {
    expect(codeOf(query)).toBe(code);
  });
});
