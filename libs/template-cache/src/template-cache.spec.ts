import { AppError, type GetTemplateReply, templateSample } from '@switchboard/contracts';
import { TemplatesClient } from '@switchboard/service-clients';
import { bytesKeptBy } from '@switchboard/testing';
import { TemplateCache } from './template-cache';

const TWENTY = Array.from({ length: 20 }, (_, index) => `de_${index}`);
const key = { accountId: 'acc_1', wabaId: 'waba_1', name: 'order_update', language: 'en_US' };

/** Returns a cache and its recorded requests. Responses are used in order, and the last one repeats. */
function cacheWith(...answers: (GetTemplateReply | Error)[]) {
  const asked: object[] = [];
  const ask = async (_command: object, request: object): Promise<never> => {
    asked.push(request);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
  let forgetAll = (): void => undefined;
  const cache = new TemplateCache(new TemplatesClient({ request: ask }), {
    onBroadcastsMissed: (listener) => (forgetAll = listener),
  });
  return { cache, asked, missBroadcasts: () => forgetAll() };
}

describe('TemplateCache', () => {
  it('requests a template once for both formats of a language', async () => {
    const { cache, asked } = cacheWith({ template: templateSample });
    await expect(cache.find(key)).resolves.toBe(templateSample);
    await expect(Promise.all([cache.find(key), cache.find({ ...key, language: 'en-US' })])).resolves.toHaveLength(2);
    expect(asked).toEqual([key]);
  });

  it('requests a template again after its eviction', async () => {
    const { cache, asked } = cacheWith({ template: templateSample });
    const other = { ...key, name: 'order_update_2' };
    await cache.find(key);
    await cache.find(other);
    cache.evict('acc_1', 'order_update');
    await cache.find(key);
    await cache.find(other);
    expect(asked).toEqual([key, other, key]);
  });

  it('does not cache a missing template', async () => {
    const { cache } = cacheWith({ template: null }, { template: templateSample });
    await expect(cache.find(key)).resolves.toBeNull();
    await expect(cache.find(key)).resolves.toBe(templateSample);
  });

  it.each([
    [['de', 'en_US'], 'template not found or not approved: order_update has the languages de, en_US'],
    [TWENTY, `template not found or not approved: order_update has the languages ${TWENTY.join(', ')}`],
    [[...TWENTY, 'zu'], `template not found or not approved: order_update has the languages ${TWENTY.join(', ')}, …`],
    [[], 'template not found or not approved: no approved template has this name'],
    [undefined, 'template not found or not approved'],
  ])('lists the languages %j of a missing template', async (languages, message) => {
    const { cache } = cacheWith({ template: null, languages });
    expect(await cache.missing(key)).toMatchObject({ code: 'TEMPLATE_NOT_FOUND', message });
  });

  it('does not cache an outage of the templates service', async () => {
    const { cache } = cacheWith(new AppError('UNAVAILABLE'), { template: templateSample });
    await expect(cache.find(key)).rejects.toThrow(AppError);
    await expect(cache.find(key)).resolves.toBe(templateSample);
  });

  it('caches the templates of each account separately', async () => {
    const { cache, asked } = cacheWith({ template: templateSample });
    await cache.find(key);
    await cache.find({ ...key, accountId: 'acc_2' });
    expect(asked).toHaveLength(2);
  });

  it('caches templates of the same name by business account', async () => {
    const { cache, asked } = cacheWith({ template: templateSample });
    await cache.find(key);
    await cache.find({ ...key, wabaId: 'waba_2' });
    cache.evict(key.accountId, key.name);
    await cache.find(key);
    expect(asked).toEqual([key, { ...key, wabaId: 'waba_2' }, key]);
  });

  it('caches lookups without a business account separately', async () => {
    const { cache, asked } = cacheWith({ template: templateSample });
    const { accountId, name, language } = key;
    const ofAny = { accountId, name, language };
    await cache.find(key);
    await cache.find(ofAny);
    await cache.find(ofAny);
    cache.evict(key.accountId, key.name);
    await cache.find(ofAny);
    expect(asked).toEqual([key, ofAny, ofAny]);
  });

  it('is cleared after missed broadcasts', async () => {
    const { cache, asked, missBroadcasts } = cacheWith({ template: templateSample });
    await cache.find(key);
    missBroadcasts();
    await cache.find(key);
    expect(asked).toHaveLength(2);
  });

  it('holds at most 32 MiB, even with the longest templates', async () => {
    const request = async (): Promise<never> => {
      const text = Buffer.alloc(20_000, 'x').toString();
      return { template: { ...templateSample, components: [{ type: 'BODY', text }] } } as never;
    };
    const bytes = await bytesKeptBy(async () => {
      const cache = new TemplateCache(new TemplatesClient({ request }), { onBroadcastsMissed: () => undefined });
      for (let index = 0; index < 4_000; index += 1) await cache.find({ ...key, name: `order_update_${index}` });
      return cache;
    });
    expect(bytes).toBeLessThan(40 * 1024 * 1024);
  });
});
