// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../lib/home.mjs';

/**
 * @typedef {object} NestModule
 * @property {string} name class name
 * @property {string} file
 * @property {Set<string>} imports keys of the imported modules of this repository
 * @property {string[]} providers keys of the controllers and of what the providers provide
 */
/** @typedef {Map<string, NestModule>} ModuleGraph modules by key: `<file>#<class>` */
/** @typedef {{ source: ts.SourceFile, file: string, names: Map<string, string>, constants: Map<string, ts.Expression> }} ModuleFile */

const PAGE = 'docs/architecture.md';
const REGION = /(<!-- modules: begin[^>]*-->\n)[^]*(<!-- modules: end -->)/;

/** Reads the Nest modules of an app, and those of the libs that they import. @returns {ModuleGraph} */
export function readModules(/** @type {string} */ app) {
  return graphOf(moduleFilesUnder(join(ROOT, 'apps', app, 'src')), (file) => readFileSync(file, 'utf8'));
}

/**
 * Reads `@Module` decorators and the dynamic modules returned by static methods.
 * @param {string[]} files absolute paths
 * @param {(file: string) => string} read
 * @returns {ModuleGraph}
 */
export function graphOf(files, read) {
  /** @type {ModuleGraph} */
  const graph = new Map();
  const waiting = [...files];
  const seen = new Set(waiting);
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    for (const [key, module] of modulesOf(parse(file, read(file)))) {
      graph.set(key, module);
      for (const imported of module.imports) {
        const [importedFile = ''] = imported.split('#');
        if (!seen.has(importedFile)) waiting.push(importedFile);
        seen.add(importedFile);
      }
    }
  }
  return graph;
}

/** @returns {string[][]} cycles of the graph, as lists of module names */
export function cyclesOf(/** @type {ModuleGraph} */ graph) {
  /** @type {string[][]} */
  const cycles = [];
  const finished = new Set();
  /** @param {string} key @param {string[]} path */
  const visit = (key, path) => {
    if (path.includes(key)) cycles.push([...path.slice(path.indexOf(key)), key].map((each) => nameOf(graph, each)));
    else if (!finished.has(key)) {
      for (const imported of graph.get(key)?.imports ?? []) visit(imported, [...path, key]);
      finished.add(key);
    }
  };
  for (const key of graph.keys()) visit(key, []);
  return cycles;
}

/** @returns {string[]} classes and tokens that several modules list among their providers or controllers */
export function providedTwice(/** @type {ModuleGraph} */ graph) {
  const all = [...graph.values()].flatMap(({ providers }) => [...new Set(providers)]);
  const twice = all.filter((provider, index) => all.indexOf(provider) < index);
  return [...new Set(twice.map((key) => key.split('#')[1] ?? key))];
}

/** Renders the architecture page with the current graphs. @returns {Record<string, string>} */
export function renderArchitecture() {
  const text = readFileSync(join(ROOT, PAGE), 'utf8');
  const apps = readdirSync(join(ROOT, 'apps')).sort();
  const parts = apps.map((app) => ({ app, graph: readModules(app) })).filter(({ graph }) => graph.size > 0);
  if (!REGION.test(text)) throw new Error(`${PAGE} has no region for the modules`);
  return {
    [PAGE]: text.replace(REGION, (_, begin, end) => `${begin}\n${parts.map(renderApp).join('\n')}\n${end}`),
  };
}

/** @param {{ app: string, graph: ModuleGraph }} part */
function renderApp({ app, graph }) {
  const imported = new Set([...graph.values()].flatMap(({ imports }) => [...imports]));
  const roots = [...graph].filter(([key, { file }]) => !imported.has(key) && isOf(app, file));
  const inner = [...graph].filter(([key]) => !roots.some(([root]) => root === key));
  const byFeatures = new Set(inner.flatMap(([, { imports }]) => [...imports]));
  const shown = inner.filter(([key, { file }]) => isOf(app, file) || byFeatures.has(key));
  const label = (/** @type {string} */ key) => nameOf(graph, key).replace(/Module$/, '');
  const nodes = shown.map(([key, { file }]) => (isOf(app, file) ? label(key) : `${label(key)}([${label(key)}])`));
  const arrows = shown.flatMap(([key, { imports }]) => [...imports].map((to) => `${label(key)} --> ${label(to)}`));
  const lines = [...nodes.sort(), ...arrows.sort()].map((line) => `  ${line}`);
  return [
    `### ${app}`,
    '',
    ...roots.flatMap(([, { name, imports }]) => {
      const shared = [...imports].filter((key) => !shown.some(([other]) => other === key));
      return [
        `\`${name}\` also imports: ${shared
          .map((key) => `\`${nameOf(graph, key)}\``)
          .sort()
          .join(', ')}.`,
        '',
      ];
    }),
    ...(lines.length > 0 ? ['```mermaid', 'flowchart LR', ...lines, '```', ''] : []),
  ].join('\n');
}

const isOf = (/** @type {string} */ app, /** @type {string} */ file) =>
  relative(join(ROOT, 'apps', app), file).startsWith('src');

function nameOf(/** @type {ModuleGraph} */ graph, /** @type {string} */ key) {
  return graph.get(key)?.name ?? key;
}

/** @returns {string[]} */
function moduleFilesUnder(/** @type {string} */ folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.ts'))
    .map((file) => join(folder, file))
    .sort();
}

/** @param {string} file @param {string} text @returns {ModuleFile} */
function parse(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @type {Map<string, ts.Expression>} */
  const constants = new Map();
  for (const statement of source.statements) {
    if (ts.isClassDeclaration(statement) && statement.name) names.set(statement.name.text, file);
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        if (initializer) constants.set(name.getText(), initializer);
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier))
      for (const { name } of importedNames(statement)) {
        const from = pathOf(statement.moduleSpecifier.text, file, name.text);
        if (from) names.set(name.text, from);
      }
  }
  return { source, file, names, constants };
}

function importedNames(/** @type {ts.ImportDeclaration} */ { importClause }) {
  const bindings = importClause?.namedBindings;
  return bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
}

/**
 * Returns the file of an imported class. For a module of a lib, returns the file that defines it.
 * @param {string} specifier
 * @param {string} file
 * @param {string} name
 */
function pathOf(specifier, file, name) {
  if (specifier.startsWith('.')) return `${resolve(dirname(file), specifier)}.ts`;
  const [, lib] = /^@switchboard\/(.+)$/.exec(specifier) ?? [];
  if (lib === undefined || !name.endsWith('Module')) return undefined;
  const source = join(ROOT, 'libs', lib, 'src');
  return moduleFilesUnder(source).find((each) => readFileSync(each, 'utf8').includes(`class ${name} `));
}

/** @param {ModuleFile} moduleFile @returns {[string, NestModule][]} */
function modulesOf(moduleFile) {
  return moduleFile.source.statements.filter(ts.isClassDeclaration).flatMap((declaration) => {
    const parts = metadataOf(declaration);
    const name = declaration.name?.text;
    if (parts.length === 0 || name === undefined) return [];
    const { file } = moduleFile;
    const imports = parts.flatMap((part) => classesOf(part, 'imports', moduleFile));
    const providers = parts.flatMap((part) => [
      ...classesOf(part, 'controllers', moduleFile),
      ...valuesOf(part, 'providers').flatMap((value) => providedBy(value, moduleFile)),
    ]);
    return [[`${file}#${name}`, { name, file, imports: new Set(imports), providers }]];
  });
}

/** Returns the module's metadata: the argument of `@Module`, and the return values of static methods. */
function metadataOf(/** @type {ts.ClassDeclaration} */ declaration) {
  const decorator = (ts.getDecorators(declaration) ?? [])
    .map(({ expression }) => expression)
    .filter(ts.isCallExpression)
    .find(({ expression }) => expression.getText() === 'Module');
  if (!decorator) return [];
  const returned = declaration.members.filter(ts.isMethodDeclaration).flatMap(({ body }) => body?.statements ?? []);
  return [...decorator.arguments, ...returned.filter(ts.isReturnStatement).map(({ expression }) => expression)].filter(
    (value) => value !== undefined && ts.isObjectLiteralExpression(value),
  );
}

/** @param {ts.ObjectLiteralExpression} part @param {string} property @param {ModuleFile} moduleFile */
function classesOf(part, property, moduleFile) {
  return valuesOf(part, property).flatMap((value) => keysOf(value, moduleFile));
}

function valuesOf(/** @type {ts.ObjectLiteralExpression} */ part, /** @type {string} */ property) {
  return part.properties
    .filter(ts.isPropertyAssignment)
    .filter(({ name }) => name.getText() === property)
    .map(({ initializer }) => initializer);
}

/**
 * Returns the keys under which a provider is available: its class, or the token and the class of `{ provide, useClass
 * }`. Nest collects all providers of tokens such as `APP_GUARD`, so several modules may provide these.
 * @param {ts.Expression} provider
 * @param {ModuleFile} moduleFile
 * @returns {string[]}
 */
function providedBy(provider, moduleFile) {
  if (ts.isArrayLiteralExpression(provider))
    return provider.elements.flatMap((element) => providedBy(element, moduleFile));
  if (ts.isSpreadElement(provider)) return providedBy(provider.expression, moduleFile);
  if (ts.isParenthesizedExpression(provider)) return providedBy(provider.expression, moduleFile);
  if (ts.isObjectLiteralExpression(provider)) {
    const tokens = valuesOf(provider, 'provide').filter((token) => !/^APP_[A-Z]+$/.test(token.getText()));
    return [
      // Identify tokens by name only, because a lib and an app import them from different files.
      ...tokens.map((token) => `#${token.getText()}`),
      ...tokens.flatMap((token) => classNamed(token.getText(), moduleFile)),
      ...valuesOf(provider, 'useClass').flatMap((made) => keysOf(made, moduleFile)),
    ];
  }
  // GUARDS.map((guard) => ({ provide: APP_GUARD, useExisting: guard }))
  if (ts.isCallExpression(provider)) {
    const made = provider.arguments.find(ts.isArrowFunction)?.body;
    if (made && ts.isExpression(made)) return providedBy(made, moduleFile);
  }
  const constant = moduleFile.constants.get(provider.getText());
  return constant ? providedBy(constant, moduleFile) : keysOf(provider, moduleFile);
}

/**
 * Returns the keys of the classes in an expression, excluding those of other packages.
 * @param {ts.Expression} expression
 * @param {ModuleFile} moduleFile
 * @returns {string[]}
 */
function keysOf(expression, moduleFile) {
  const { constants, file } = moduleFile;
  if (ts.isArrayLiteralExpression(expression)) return expression.elements.flatMap((each) => keysOf(each, moduleFile));
  if (ts.isSpreadElement(expression)) return keysOf(expression.expression, moduleFile);
  if (ts.isCallExpression(expression)) {
    // SomeModule.forRoot(…)
    if (ts.isPropertyAccessExpression(expression.expression))
      return keysOf(expression.expression.expression, moduleFile);
    throw new Error(`${relative(ROOT, file)}: cannot read ${expression.getText()} (${basename(import.meta.filename)})`);
  }
  if (ts.isObjectLiteralExpression(expression)) return [];
  const name = expression.getText();
  const constant = constants.get(name);
  return constant ? keysOf(constant, moduleFile) : classNamed(name, moduleFile);
}

/** Returns the key of a class that the file defines or imports. @param {string} name @param {ModuleFile} moduleFile */
function classNamed(name, { names }) {
  const from = names.get(name);
  return from ? [`${from}#${name}`] : [];
}
