import { randomUUID } from 'node:crypto';
import { call, get, post } from './support/api';
import { done } from './support/installation';
import { contactWithOpenWindow, writeIn } from './support/simulator';

interface Operation {
  parameters?: { name: string; in: string; schema?: { type?: string; enum?: unknown[] } }[];
  requestBody?: { content: Record<string, { schema?: { $ref?: string } }> };
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { example?: object }> };
}

/** Internal and upstream ids in responses. */
const ID = /^((msg|ct|med|job|evt|num)_[0-9a-z]{26}|wamid\..+)$/;

describe('an account', () => {
  const mark = `only-for-b-${randomUUID()}`;
  let description: Description;
  let keyOfA: string;
  let idsOfB: string[];

  /**
   * Account B is the demo account, with a conversation, a message with a reference, and anything that earlier tests
   * left.
   */
  beforeAll(async () => {
    description = (await get('/openapi.json', { apiKey: null })).body as unknown as Description;
    const phone = await contactWithOpenWindow();
    await writeIn(phone, mark, { name: mark });
    await post('/messages/send', { to: phone, type: 'text', text: { body: mark }, clientRef: mark });
    const lists = Object.entries(description.paths).filter(
      ([path, methods]) => methods['get'] && !path.includes('{') && path !== '/v1/contacts/search',
    );
    const answers = await Promise.all(lists.map(([path]) => get(path.slice('/v1'.length))));
    idsOfB = [
      ...new Set([
        phone,
        ...answers.flatMap(({ body }) =>
          textsIn(body)
            .filter((text) => ID.test(text))
            .slice(0, 5),
        ),
      ]),
    ];
    const account = await done('accounts', 'create', '--name', 'A', '--plan', 'scale');
    keyOfA = String((await done('keys', 'create', '--account', String(account['accountId']), '--name', 'a'))['apiKey']);
  }, 60_000);

  it('sees no data of another account in any operation (guarantee 18 of ADR 41)', async () => {
    const faults: string[] = [];
    let calls = 0;
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        for (const address of addressesOf(path, operation, idsOfB)) {
          const { status, body } = await call(method.toUpperCase(), address, {
            apiKey: keyOfA,
            body: bodyOf(operation),
          });
          calls += 1;
          const shown = [mark, ...idsOfB].filter((text) => JSON.stringify(body).includes(text));
          if (shown.length > 0) faults.push(`${method} ${address} shows ${shown.join(', ')}`);
          if (status >= 500 || status === 429) faults.push(`${method} ${address} answers ${status}`);
          if (path.includes('{') && status < 400)
            faults.push(`${method} ${address} answers ${status} to an id of another account`);
        }
        if (!path.includes('{')) continue;
        for (const id of idsOfB) {
          const [theirs, nobodys] = await Promise.all(
            [id, withOtherEnd(id)].map(async (each) => {
              const address = path.slice('/v1'.length).replace(/\{\w+\}/, encodeURIComponent(each));
              const options = { apiKey: keyOfA, body: bodyOf(operation) };
              const { status, body } = await call(method.toUpperCase(), address, options);
              return [status, body['code'], String(body['message']).replaceAll(each, 'the id')].join(' ');
            }),
          );
          calls += 2;
          const isOfKind = PREFIXES[path.split('/')[2] ?? '']?.test(id) ?? false;
          if (isOfKind && theirs?.startsWith('404 NOT_FOUND ') !== true)
            faults.push(`${method} ${path} answers ${theirs} to ${id}`);
          if (theirs !== nobodys) faults.push(`${method} ${path} tells ${id} (${theirs}) from no one's (${nobodys})`);
        }
      }
    }
    process.stdout.write(`${calls} calls for ${idsOfB.length} ids of another account: ${faults.length} faults\n`);
    expect(faults).toEqual([]);
  }, 120_000);

  /**
   * Returns the example of the description, sent from a number that account A does not have, so that it is rejected.
   */
  function bodyOf({ requestBody }: Operation): object | undefined {
    if (!requestBody) return undefined;
    const name = requestBody.content['application/json']?.schema?.$ref?.split('/').at(-1) ?? '';
    return { ...description.components.schemas[name]?.example, from: '15550783881' };
  }
});

/** Returns all URLs below `/v1` with which an operation can request one of the ids. */
function addressesOf(path: string, { parameters = [] }: Operation, ids: string[]): string[] {
  const below = path.slice('/v1'.length);
  const paths = below.includes('{') ? ids.map((id) => below.replace(/\{\w+\}/g, encodeURIComponent(id))) : [below];
  const filters = parameters.filter(
    ({ in: place, schema }) => place === 'query' && schema?.type === 'string' && !schema.enum,
  );
  const queries = filters.flatMap(({ name }) => ids.map((id) => `${name}=${encodeURIComponent(id)}`));
  return paths.flatMap((address) => [address, ...queries.map((query) => `${address}?${query}`)]);
}

const PREFIXES: Record<string, RegExp> = { messages: /^(msg_|wamid\.)/, jobs: /^job_/, media: /^med_/ };

/** Returns an identifier of the same kind that does not exist. */
const withOtherEnd = (id: string): string => id.slice(0, -4) + (id.endsWith('0000') ? '1111' : '0000');

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
