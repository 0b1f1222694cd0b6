import { operationOf } from './exchange-metrics';

describe('operationOf', () => {
  it.each([
    ['POST', '/v24.0/15550001/messages', 'POST /:id/messages'],
    ['GET', '/proxy/v24.0/102/message_templates?limit=100&name=order_update', 'GET /proxy/:id/message_templates'],
    ['GET', '/v24.0/102?fields=id', 'GET /:id'],
    ['POST', '/v24.0/upload:MTph?sig=ARZ', 'POST /:id'],
    ['POST', '/v24.0/app/uploads?file_name=a.png', 'POST /app/uploads'],
  ])('%s %s is recorded without ids and query', (method, path, name) => expect(operationOf(method, path)).toBe(name));
});
