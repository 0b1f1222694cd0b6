// @ts-check
import { readsOf } from './reads.mjs';

const id = { name: 'id', in: 'path', required: true };
const description = {
  paths: {
    '/v1/me': { get: {} },
    '/v1/messages': { get: { parameters: [{ name: 'limit', in: 'query' }] } },
    '/v1/messages/{id}': { get: { parameters: [id] } },
    '/v1/media/{id}': { get: { parameters: [id] } },
    '/v1/contacts/search': { get: { parameters: [{ name: 'q', in: 'query', required: true }] } },
    '/v1/messages/send': {},
  },
};

test('readsOf returns paths with known values and omits optional parameters', () => {
  const values = { '/v1/messages/{id}': { id: 'msg 1' }, '/v1/contacts/search': { q: '91 9' } };
  expect(readsOf(description, values)).toEqual([
    '/v1/me',
    '/v1/messages',
    '/v1/messages/msg%201',
    '/v1/contacts/search?q=91+9',
  ]);
});

test('readsOf skips paths without known values', () => {
  expect(readsOf(description, {})).toEqual(['/v1/me', '/v1/messages']);
});
