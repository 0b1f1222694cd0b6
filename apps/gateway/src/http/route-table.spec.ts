import { RouteTable } from './route-table';

describe('the route table', () => {
  const table = new RouteTable();
  table.add({ method: 'GET', url: '/v1/jobs/:jobId' });
  table.add({ method: 'HEAD', url: '/v1/jobs/:jobId' });
  table.add({ method: 'GET', url: '/v1/openapi.json' });

  table.add({ method: 'POST', url: '/v1/jobs/send' });

  it.each([
    ['/v1/jobs/send', ['POST']],
    ['/v1/jobs/job_1', ['GET', 'HEAD']],
    ['/v1/jobs/', []],
    ['/v1/jobs/a/b', []],
    ['/v1/openapi.json', ['GET']],
    ['/v1/openapixjson', []],
  ])('returns for %s the methods %j', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });
});
