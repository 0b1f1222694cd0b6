// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cyclesOf, graphOf, providedTwice, readModules } from '../generate/modules.mjs';
import { ROOT } from '../lib/home.mjs';

/** @type {Record<string, string>} */
const EXAMPLE = {
  '/app.module.ts': `
    import { OneModule } from './one.module';
    import { OtherModule } from './other.module';
    const FEATURES = [OneModule];
    @Module({ imports: [...FEATURES] })
    export class AppModule {
      static forRoot() { return { module: AppModule, imports: [OtherModule.forRoot('url')] }; }
    }`,
  '/one.module.ts': `
    import { OtherModule } from './other.module';
    import { Shared } from './shared';
    @Module({ imports: [OtherModule], providers: [Shared, { provide: 'URL', useValue: '' }] })
    export class OneModule {}`,
  '/other.module.ts': `
    import { Shared } from './shared';
    @Module({ controllers: [Shared] })
    export class OtherModule {}`,
};

/** @param {Record<string, string>} files */
const graphFrom = (files) => graphOf(['/app.module.ts'], (file) => files[file] ?? '');

test('reads imports from decorators, dynamic modules, and constants', () => {
  const graph = graphFrom(EXAMPLE);
  const imports = [...graph.values()].map(({ name, imports: of }) => [name, [...of].map((key) => key.split('#')[1])]);
  expect(imports).toEqual([
    ['AppModule', ['OneModule', 'OtherModule']],
    ['OneModule', ['OtherModule']],
    ['OtherModule', []],
  ]);
});

test('reports a class that two modules provide', () => {
  expect(providedTwice(graphFrom(EXAMPLE))).toEqual(['Shared']);
});

test.each([
  ['a token', "{ provide: 'URL', useFactory: () => '' }", ["'URL'"]],
  ['a class as a token', '{ provide: Shared, useValue: {} }', ['Shared']],
  ['a class behind a token', "{ provide: 'OTHER', useClass: Shared }", ['Shared']],
  ['a class behind a built-in token', '{ provide: APP_FILTER, useClass: Shared }', ['Shared']],
  ['another token', "{ provide: 'OTHER', useValue: '' }", []],
  ['an alias of an instance', '...[Shared].map((one) => ({ provide: APP_GUARD, useExisting: one }))', []],
])('checks %s against the providers of another module', (_what, provider, expected) => {
  const other = `import { Shared } from './shared'; @Module({ providers: [${provider}] }) export class OtherModule {}`;
  expect(providedTwice(graphFrom({ ...EXAMPLE, '/other.module.ts': other }))).toEqual(expected);
});

test('allows several providers of a built-in Nest token', () => {
  const provider = '{ provide: APP_GUARD, useValue: {} }';
  const one = `import { OtherModule } from './other.module'; @Module({ imports: [OtherModule], providers: [${provider}] }) export class OneModule {}`;
  const other = `@Module({ providers: [${provider}] }) export class OtherModule {}`;
  expect(providedTwice(graphFrom({ ...EXAMPLE, '/one.module.ts': one, '/other.module.ts': other }))).toEqual([]);
});

test('reports a cycle', () => {
  const circular = EXAMPLE['/other.module.ts']?.replace('{ controllers', '{ imports: [OneModule], controllers') ?? '';
  const other = `import { OneModule } from './one.module';${circular}`;
  expect(cyclesOf(graphFrom({ ...EXAMPLE, '/other.module.ts': other }))).toEqual([
    ['OneModule', 'OtherModule', 'OneModule'],
  ]);
});

describe.each(readdirSync(join(ROOT, 'apps')).filter((app) => readModules(app).size > 0))('modules of %s', (app) => {
  const graph = readModules(app);

  it('have no import cycles', () => {
    expect(cyclesOf(graph)).toEqual([]);
  });

  it('provide each class once', () => {
    expect(providedTwice(graph)).toEqual([]);
  });
});

test('finds every service', () => {
  const services = ['gateway', 'jobs', 'messaging', 'otp', 'templates', 'webhooks'];
  expect(services.filter((app) => readModules(app).size === 0)).toEqual([]);
});
