import { isRouteAllowed, isRouteRule } from './route-rules';

describe('route rule', () => {
  it.each(['GET /v1/messages', 'POST /v1/messages/send', '* /v1/*', 'GET /', 'DELETE /v1/jobs/:jobId'])(
    'accepts %s',
    (rule) => {
      expect(isRouteRule(rule)).toBe(true);
    },
  );

  it.each([
    '',
    'GET *',
    'GET',
    '/v1/messages',
    'get /v1/messages',
    'GET  /v1/messages',
    'GET /v1/messages?page=1',
    'GET /v1/(a+)+',
    'FETCH /v1',
  ])('rejects %j', (rule) => {
    expect(isRouteRule(rule)).toBe(false);
  });
});

describe('route list', () => {
  it.each([
    ['GET', '/v1/messages', [], true],
    ['GET', '/v1/messages', ['GET /v1/messages'], true],
    ['HEAD', '/v1/messages', ['GET /v1/messages'], true],
    ['POST', '/v1/messages', ['GET /v1/messages'], false],
    ['GET', '/v1/messages/send', ['GET /v1/messages'], false],
    ['POST', '/v1/messages/send', ['POST /v1/messages/*'], true],
    ['POST', '/v1/messages/send', ['* /v1/*'], true],
    ['GET', '/v1/me', ['GET /v1/messages', 'GET /v1/me'], true],
    ['GET', '/v1/messages', ['GET /v1/me'], false],
    ['GET', '/v1/jobs/:jobId', ['GET /v1/jobs/*'], true],
    ['GET', '/v1/jobs/:jobId', ['GET /v1/jobs/:jobId'], true],
    ['GET', '/v1/xjobs', ['GET /v1.jobs'], false],
    ['GET', '/v2/v1/me', ['GET /v1/me'], false],
  ])('allows %s %s under the rules %j: %s', (method, route, rules, allowed) => {
    expect(isRouteAllowed(method, route, rules)).toBe(allowed);
  });
});
