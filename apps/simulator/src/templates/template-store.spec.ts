import { TemplateStore } from './template-store';

const names = (store: TemplateStore, query: object): string[] => store.page(query).templates.map(({ name }) => name);

describe('TemplateStore', () => {
  it('pages forwards and backwards by opaque cursors', () => {
    const store = new TemplateStore();
    const first = store.page({ limit: '3' });
    expect(first.hasNext).toBe(true);
    const last = store.page({ limit: '3', after: first.after });
    expect([last.templates.map(({ name }) => name), last.hasNext]).toEqual([['spring_sale'], false]);
    expect(names(store, { limit: '2', before: last.before })).toEqual(['hello_world', 'verification_code']);
  });

  it('rejects an invalid cursor with 131059', () => {
    expect(() => new TemplateStore().page({ after: '2' })).toThrow(expect.objectContaining({ code: 131059 }));
  });

  it('filters templates case-insensitively', () => {
    const store = new TemplateStore();
    expect(names(store, { status: 'pending' })).toEqual(['spring_sale']);
    expect(names(store, { category: 'Authentication' })).toEqual(['verification_code']);
    expect(names(store, { name: 'order_update', language: 'en_US' })).toEqual(['order_update']);
    expect(names(store, { language: 'de' })).toEqual([]);
  });

  it('drops a deleted template until a reset', () => {
    const store = new TemplateStore();
    store.apply(store.find('hello_world')!, 'DELETED', null);
    expect(store.find('hello_world')).toBeUndefined();
    store.reset();
    expect(store.find('hello_world')?.status).toBe('APPROVED');
  });
});
