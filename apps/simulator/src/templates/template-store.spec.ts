import { TemplateStore } from './template-store';

const names = (store: TemplateStore, query: object): string[] => store.page(query).templates.map(({ name }) => name);

describe('TemplateStore', () => {
  it('pages by opaque cursors, forth and back', () => {
    const store = new TemplateStore();
    const first = store.page({ limit: '3' });
    expect(first.hasNext).toBe(true);
    const last = store.page({ limit: '3', after: first.after });
    expect([last.templates.map(({ name }) => name), last.hasNext]).toEqual([['spring_sale'], false]);
    expect(names(store, { limit: '2', before: last.before })).toEqual(['hello_world', 'verification_code']);
  });

  it('refuses a cursor that is none with 131059', () => {
    expect(() => new TemplateStore().page({ after: '2' })).toThrow(expect.objectContaining({ code: 131059 }));
  });

  it('filters, in either case', () => {
    const store = new TemplateStore();
    expect(names(store, { status: 'pending' })).toEqual(['spring_sale']);
    expect(names(store, { category: 'Authentication' })).toEqual(['verification_code']);
    expect(names(store, { name: 'order_update', language: 'en_US' })).toEqual(['order_update']);
    expect(names(store, { language: 'de' })).toEqual([]);
  });

  it('forgets a deleted template until it is reset', () => {
    const store = new TemplateStore();
    store.apply(store.find('hello_world')!, 'DELETED', null);
    expect(store.find('hello_world')).toBeUndefined();
    store.reset();
    expect(store.find('hello_world')?.status).toBe('APPROVED');
  });
});
