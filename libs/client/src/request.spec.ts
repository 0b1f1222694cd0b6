import { ROUTES } from './api';
import { buildRequest } from './request';

const request = (id: keyof typeof ROUTES, input: Record<string, unknown>) =>
  buildRequest('http://localhost', ROUTES[id], input);

describe('buildRequest', () => {
  it.each(['blockPerson', 'unblockPerson'] as const)('sends the input of %s in the URL, without a body', (id) => {
    const { url, body } = request(id, { phone: '919812345678', from: '15550783881' });
    expect([url, body]).toEqual(['http://localhost/v1/contacts/919812345678/block?from=15550783881', undefined]);
  });

  it('sends all input of a read in the URL', () => {
    const { url, body } = request('listMessages', {
      phone: '919812345678',
      since: new Date(0),
      limit: 2,
      page: undefined,
    });
    expect([url, body]).toEqual([
      'http://localhost/v1/messages?phone=919812345678&since=1970-01-01T00%3A00%3A00.000Z&limit=2',
      undefined,
    ]);
  });

  it('sends path parameters in the path and other input in the body', () => {
    const sent = request('sendMessage', { to: '919812345678', from: '15550783881', caption: undefined });
    expect([sent.url, sent.body?.()]).toEqual([
      'http://localhost/v1/messages/send',
      '{"to":"919812345678","from":"15550783881"}',
    ]);
    expect(request('pauseJob', { jobId: 'a/b' }).url).toBe('http://localhost/v1/jobs/a%2Fb/pause');
    for (const jobId of ['..', '.', '', undefined]) expect(() => request('pauseJob', { jobId })).toThrow(TypeError);
  });
});
