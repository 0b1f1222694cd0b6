import {
  type DescriptionNode,
  parametersOf,
  type PlacedOperation,
  type SchemaNode,
  referredName,
} from './description-model';

export const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const;
export type Language = keyof typeof LANGUAGES;

/** Request in all languages. */
export interface CodeSample {
  /** Name of the example in the description; absent for operations without a body. */
  example?: string;
  summary: string;
  code: Record<Language, string>;
}

/** Values of one call, from which the samples are written. */
interface Call {
  operation: PlacedOperation;
  baseUrl: string;
  inPath: Record<string, unknown>;
  inQuery: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** Names of the body's fields that are files; undefined for a JSON body. */
  files?: ReadonlySet<string>;
  /** Name under which a downloaded file is saved. */
  download?: string;
}

const LINE_LENGTH = 64;
const PYTHON_KEYWORDS = new Set(['from', 'import', 'class', 'global', 'in', 'is', 'not', 'or', 'and', 'pass', 'with']);

/** Writes one sample per example request of the operation, or one for an operation without a body. */
export function codeSamples(operation: PlacedOperation, description: DescriptionNode): CodeSample[] {
  const baseUrl = baseUrlOf(description);
  const parameters = parametersOf(operation, description);
  const valuesIn = (place: string): Record<string, unknown> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, schema }) => [name, valueOf(schema ?? {})]),
    );
  const call: Call = {
    operation,
    baseUrl,
    inPath: valuesIn('path'),
    inQuery: valuesIn('query'),
    download: downloadOf(operation),
  };
  const samples = Object.entries(operation.requestBody?.content ?? {}).flatMap(
    ([type, { examples = {}, schema = {} }]) =>
      Object.entries(examples).map(([example, { summary = example, value }]) => ({
        example,
        summary,
        code: inAllLanguages({
          ...call,
          body: value as Record<string, unknown>,
          ...(type === 'multipart/form-data' && { files: fileFields(schema, description) }),
        }),
      })),
  );
  return samples.length > 0 ? samples : [{ summary: operation.summary ?? '', code: inAllLanguages(call) }];
}

/** Writes one call with the given values. */
export function sampleOfCall(
  call: Pick<Call, 'operation' | 'inPath' | 'inQuery' | 'body'>,
  description: DescriptionNode,
): CodeSample {
  const { operation } = call;
  const code = inAllLanguages({ ...call, baseUrl: baseUrlOf(description), download: downloadOf(operation) });
  return { summary: operation.summary ?? '', code };
}

function baseUrlOf({ servers }: DescriptionNode): string {
  return `${(servers[0]?.url ?? '').replace(/\/$/, '')}/v1`;
}

function inAllLanguages(call: Call): Record<Language, string> {
  return { curl: curl(call), typescript: typescript(call), python: python(call) };
}

function curl({ operation, baseUrl, inPath, inQuery, body, files, download }: Call): string {
  const path = operation.path
    .replace(/^\/v1/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])));
  const query = new URLSearchParams(
    Object.entries(inQuery).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const url = `${baseUrl}${path}${query ? `?${query}` : ''}`;
  const isPlain = operation.method === (body === undefined ? 'GET' : 'POST');
  const lines = [
    `curl ${isPlain ? '' : `-X ${operation.method} `}${query ? `'${url}'` : url}`,
    '-H "Authorization: Bearer $API_KEY"',
  ];
  if (files && body)
    for (const [name, value] of inFormOrder(body, files))
      lines.push(`-F ${files.has(name) ? `${name}=@${String(value)}` : quotedForShell(`${name}=${String(value)}`)}`);
  else if (body)
    lines.push("-H 'Content-Type: application/json'", `-d ${quotedForShell(literal(body, JSON_SYNTAX, 2))}`);
  if (download) lines.push(`-o ${download}`);
  return lines.join(' \\\n  ');
}

function typescript({ operation, baseUrl, inPath, inQuery, body = {}, files, download }: Call): string {
  const fields = {
    ...inPath,
    ...inQuery,
    ...Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        files?.has(name)
          ? new Code(`{ content: await openAsBlob('${String(value)}'), filename: '${String(value)}' }`)
          : value,
      ]),
    ),
  };
  const argument = Object.keys(fields).length > 0 ? literal(fields, TYPESCRIPT_SYNTAX, 0) : '';
  const call = `await switchboard.${operation.operationId}(${argument});`;
  return [
    ...(files ? ["import { openAsBlob } from 'node:fs';"] : []),
    ...(download ? ["import { writeFile } from 'node:fs/promises';"] : []),
    "import { createClient } from 'switchboard-client';",
    '',
    'const switchboard = createClient({',
    `  baseUrl: '${baseUrl}',`,
    "  apiKey: process.env.API_KEY ?? '',",
    '});',
    '',
    ...(download
      ? [`const file = ${call}`, `await writeFile('${download}', Buffer.from(await file.arrayBuffer()));`]
      : [`const response = ${call}`, 'console.log(response);']),
  ].join('\n');
}

function python({ operation, baseUrl, inPath, inQuery, body = {}, files, download }: Call): string {
  const named = Object.entries({ ...inQuery, ...body }).map(([name, value]) => {
    const given = files?.has(name) ? `Path("${String(value)}")` : literal(value, PYTHON_SYNTAX, 4);
    return `${argumentName(name)}=${given}`;
  });
  const given = [...Object.values(inPath).map((value) => literal(value, PYTHON_SYNTAX, 4)), ...named];
  const oneLine = given.join(', ');
  const argumentsText =
    oneLine.length <= LINE_LENGTH && !oneLine.includes('\n') && given.length < 4
      ? oneLine
      : `\n${given.map((each) => `    ${each},\n`).join('')}`;
  const call = `switchboard.${snake(operation.operationId)}(${argumentsText})`;
  return [
    'import os',
    ...(files ? ['from pathlib import Path'] : []),
    'from switchboard import Switchboard',
    '',
    'switchboard = Switchboard(',
    `    "${baseUrl}",`,
    '    os.environ["API_KEY"],',
    ')',
    '',
    ...(download ? [`${call}.save("${download}")`] : [`response = ${call}`, 'print(response)']),
  ].join('\n');
}

/** Expression that is emitted verbatim. */
class Code {
  constructor(readonly text: string) {}
}

interface Syntax {
  text(value: string): string;
  key(name: string): string;
  /** Spaces inside the braces of an object on one line. */
  pad: string;
  trailingComma: string;
  words: Record<'true' | 'false' | 'null', string>;
}

const WORDS = { true: 'true', false: 'false', null: 'null' };
const JSON_SYNTAX: Syntax = { text: JSON.stringify, key: JSON.stringify, pad: '', trailingComma: '', words: WORDS };
const quotedSingly = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const TYPESCRIPT_SYNTAX: Syntax = {
  text: quotedSingly,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quotedSingly(name)),
  pad: ' ',
  trailingComma: ',',
  words: WORDS,
};
const PYTHON_SYNTAX: Syntax = {
  text: JSON.stringify,
  key: JSON.stringify,
  pad: '',
  trailingComma: ',',
  words: { true: 'True', false: 'False', null: 'None' },
};

/** Writes a value, with one line per field unless all fit on one. @param margin spaces before the value's own lines */
function literal(value: unknown, syntax: Syntax, margin: number): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return syntax.text(value);
  if (value === null || typeof value === 'boolean') return syntax.words[String(value) as 'true' | 'false' | 'null'];
  if (typeof value !== 'object') return String(value);
  const isList = Array.isArray(value);
  const [open, close, pad] = isList ? ['[', ']', ''] : ['{', '}', syntax.pad];
  const parts = Object.entries(value).map(([name, each]) =>
    isList ? literal(each, syntax, margin + 2) : `${syntax.key(name)}: ${literal(each, syntax, margin + 2)}`,
  );
  const oneLine = `${open}${pad}${parts.join(', ')}${pad}${close}`;
  if (margin + oneLine.length <= LINE_LENGTH && !oneLine.includes('\n')) return oneLine;
  const indent = ' '.repeat(margin + 2);
  return `${open}\n${parts.map((part) => `${indent}${part}`).join(',\n')}${syntax.trailingComma}\n${' '.repeat(margin)}${close}`;
}

/** Returns the fields of a form with the files last, as the clients send them. */
function inFormOrder(body: Record<string, unknown>, files: ReadonlySet<string>): [string, unknown][] {
  const fields = Object.entries(body);
  return [...fields.filter(([name]) => !files.has(name)), ...fields.filter(([name]) => files.has(name))];
}

function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function fileFields(schema: SchemaNode, { components }: DescriptionNode): Set<string> {
  const { properties = {} } = schema.$ref ? (components.schemas[referredName(schema.$ref)] ?? {}) : schema;
  return new Set(Object.keys(properties).filter((name) => properties[name]?.format === 'binary'));
}

/** Returns the file name of an operation whose response is a file. */
function downloadOf({ responses, path }: PlacedOperation): string | undefined {
  const [type] = Object.keys((responses['200'] ?? responses['201'])?.content ?? {});
  if (type === undefined || type === 'application/json') return undefined;
  return /[\w-]+\.\w+$/.exec(path)?.[0] ?? 'file';
}

function valueOf({ example, default: byDefault, enum: values, type }: SchemaNode): unknown {
  return example ?? byDefault ?? values?.[0] ?? (type === 'integer' ? 1 : 'value');
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the name of a method's argument in the Python client. */
function argumentName(wire: string): string {
  return PYTHON_KEYWORDS.has(wire) ? `${wire}_` : snake(wire);
}
