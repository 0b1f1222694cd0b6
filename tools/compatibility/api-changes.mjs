// @ts-check
// Compares two OpenAPI 3.1 descriptions. Existing packages support only 3.0, or download a program during installation.
import { isDeepStrictEqual } from 'node:util';

/** @typedef {Record<string, any>} Json */
/**
 * @typedef {{ before: Json, after: Json, direction: 'in' | 'out', seen: Set<string>, form?: 'whole' | 'field' }}
 * Comparison `in`: sent by customers; `out`: sent to customers; `form`: the schema is that of a form, or of one of its
 * fields
 */

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** Constraints of a schema. Each may change only in the direction that accepts all previously valid values. */
const UPPER = ['maxLength', 'maximum', 'maxItems'];
const LOWER = ['minLength', 'minimum', 'minItems'];
const SAME = ['format', 'pattern', 'const'];

/**
 * Returns the incompatibilities of a new description for existing clients: removed operations, fields and events,
 * values no longer accepted, and new required fields. Additions are compatible.
 * @param {Json} before
 * @param {Json} after
 * @returns {string[]} one line per incompatibility
 */
export function apiFaults(before, after) {
  return [...operationFaults(before, after), ...eventFaults(before, after)];
}

/** @returns {string[]} */
function operationFaults(/** @type {Json} */ before, /** @type {Json} */ after) {
  return operationsOf(before).flatMap(({ at, path, method, operation }) => {
    const now = after['paths']?.[path]?.[method];
    if (!now) return [`${at} is gone`];
    const documents = { before, after };
    return [
      ...(operation.operationId === now.operationId ? [] : [`${at} was called ${operation.operationId}`]),
      ...parameterFaults(operation, now, { ...documents, at }),
      ...contentFaults(operation.requestBody, now.requestBody, { ...documents, at: `${at} request`, direction: 'in' }),
      ...(!operation.requestBody?.required && now.requestBody?.required ? [`${at} demands a body, and did not`] : []),
      ...answerFaults(operation, now, { ...documents, at }),
    ];
  });
}

/** @returns {string[]} */
function eventFaults(/** @type {Json} */ before, /** @type {Json} */ after) {
  return Object.entries(before['webhooks'] ?? {}).flatMap(([name, item]) => {
    const now = after['webhooks']?.[name];
    if (!now) return [`the event ${name} is gone`];
    const options = { before, after, at: `event ${name}`, direction: /** @type {const} */ ('out') };
    return contentFaults(item.post.requestBody, now.post?.requestBody, options);
  });
}

function operationsOf(/** @type {Json} */ document) {
  return Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      at: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation: item[method],
    })),
  );
}

/** @typedef {{ before: Json, after: Json, at: string }} Place */

/** @returns {string[]} */
function parameterFaults(
  /** @type {Json} */ operation,
  /** @type {Json} */ now,
  /** @type {Place} */ { before, after, at },
) {
  const old = (operation['parameters'] ?? []).map((/** @type {Json} */ one) => resolved(one, before));
  const today = (now['parameters'] ?? []).map((/** @type {Json} */ one) => resolved(one, after));
  const nameOf = (/** @type {Json} */ one) => `${one['in']} ${one['name']}`;
  const byName = new Map(today.map((/** @type {Json} */ one) => [nameOf(one), one]));
  const known = new Map(old.map((/** @type {Json} */ one) => [nameOf(one), one]));
  return [
    ...old.flatMap((/** @type {Json} */ one) => {
      const same = byName.get(nameOf(one));
      if (!same) return [`${at}: ${nameOf(one)} is gone`];
      const comparison = { before, after, direction: /** @type {const} */ ('in'), seen: new Set() };
      return schemaFaults(one['schema'], same['schema'], `${at}: ${nameOf(one)}`, comparison);
    }),
    ...today
      .filter((/** @type {Json} */ one) => one['required'] && !known.get(nameOf(one))?.['required'])
      .map((/** @type {Json} */ one) => `${at} demands ${nameOf(one)}, and did not`),
  ];
}

/** Compares only success responses, because any other status may be added at any time. @returns {string[]} */
function answerFaults(
  /** @type {Json} */ operation,
  /** @type {Json} */ now,
  /** @type {Place} */ { before, after, at },
) {
  const good = Object.entries(operation['responses'] ?? {}).filter(([status]) => status.startsWith('2'));
  return good.flatMap(([status, answer]) => {
    const same = now['responses']?.[status];
    if (!same) return [`${at} answers ${status} no more`];
    const options = { before, after, at: `${at} ${status}`, direction: /** @type {const} */ ('out') };
    return contentFaults(resolved(answer, before), resolved(same, after), options);
  });
}

/** @returns {string[]} */
function contentFaults(
  /** @type {Json | undefined} */ old,
  /** @type {Json | undefined} */ now,
  /** @type {Place & Pick<Comparison, 'direction'>} */ { at, ...documents },
) {
  return Object.entries(old?.['content'] ?? {}).flatMap(([type, { schema }]) => {
    const same = now?.['content']?.[type];
    if (!same) return [`${at}: ${type} is gone`];
    const form = type === 'multipart/form-data' ? /** @type {const} */ ('whole') : undefined;
    return schema ? schemaFaults(schema, same.schema, at, { ...documents, seen: new Set(), form }) : [];
  });
}

/**
 * @param {Json | undefined} given
 * @param {Json | undefined} givenNow
 * @param {string} at
 * @param {Comparison} comparison
 * @returns {string[]}
 */
export function schemaFaults(given, givenNow, at, comparison) {
  if (given === undefined) return [];
  if (givenNow === undefined) return [`${at} is not described any more`];
  const pair = `${given['$ref']} ${givenNow['$ref']}`;
  if (given['$ref'] && comparison.seen.has(pair)) return [];
  const seen = new Set([...comparison.seen, pair]);
  const [old, now] = [resolved(given, comparison.before), resolved(givenNow, comparison.after)];
  const within = { ...comparison, seen };
  return [
    ...valueFaults(old, now, at, comparison),
    ...propertyFaults(old, now, at, within),
    ...(old['items'] ? schemaFaults(old['items'], now['items'], `${at}[]`, within) : []),
    ...variantFaults(old, now, at, within),
  ];
}

/** @returns {string[]} */
function valueFaults(
  /** @type {Json} */ old,
  /** @type {Json} */ now,
  /** @type {string} */ at,
  /** @type {Comparison} */ { direction, form },
) {
  // A form sends all of its fields as text.
  const read = form === 'field' ? textsOf : typesOf;
  const [types, typesNow] = [read(old), read(now)];
  const [must, may] = direction === 'in' ? [types, typesNow] : [typesNow, types];
  const faults =
    may.length === 0 || must.every((type) => may.includes(type)) ? [] : [`${at} was ${types}, and is ${typesNow}`];
  const lost = (old['enum'] ?? []).filter((/** @type {unknown} */ value) => !(now['enum'] ?? [value]).includes(value));
  if (lost.length > 0) faults.push(`${at} is never ${lost.join(', ')} any more`);
  if (direction === 'out') return faults;
  if (!old['enum'] && now['enum']) faults.push(`${at} takes some values alone`);
  const bounds = [...UPPER, ...LOWER, ...SAME].filter((name) => now[name] !== undefined && narrows(name, old, now));
  return [...faults, ...bounds.map((name) => `${at}: ${name} is ${now[name]}, and was ${old[name] ?? 'absent'}`)];
}

function narrows(/** @type {string} */ name, /** @type {Json} */ old, /** @type {Json} */ now) {
  if (UPPER.includes(name)) return old[name] === undefined || now[name] < old[name];
  if (LOWER.includes(name)) return now[name] > (old[name] ?? 0);
  // A pattern with further alternatives accepts all earlier values.
  if (name === 'pattern' && now[name].startsWith(`${old[name]}|`)) return false;
  return !isDeepStrictEqual(old[name], now[name]);
}

/** @returns {string[]} */
function propertyFaults(
  /** @type {Json} */ old,
  /** @type {Json} */ now,
  /** @type {string} */ at,
  /** @type {Comparison} */ comparison,
) {
  const [required, requiredNow] = [old['required'] ?? [], now['required'] ?? []];
  const before = old['properties'] ?? {};
  const kinds = kindsOf(now, comparison);
  const having = (/** @type {string} */ name) => kinds.filter((kind) => name in (kind['properties'] ?? {}));
  const moved =
    comparison.direction === 'in'
      ? requiredNow.filter((/** @type {string} */ name) => !required.includes(name))
      : required.filter((/** @type {string} */ name) =>
          having(name).some((kind) => !(kind['required'] ?? []).includes(name)),
        );
  const word = comparison.direction === 'in' ? 'is demanded, and was not' : 'may be absent, and was always there';
  return [
    ...moved.map((/** @type {string} */ name) => `${at}.${name} ${word}`),
    ...Object.entries(before).flatMap(([name, schema]) => {
      if (having(name).length === 0) return [`${at}.${name} is gone`];
      const within = { ...comparison, form: comparison.form === 'whole' ? /** @type {const} */ ('field') : undefined };
      const faults = having(name).flatMap((kind) =>
        schemaFaults(schema, kind['properties'][name], `${at}.${name}`, within),
      );
      return [...new Set(faults)];
    }),
  ];
}

/**
 * Returns the variants of a schema that the service sends. A body may have become a union whose variants together have
 * the previous fields.
 * @returns {Json[]}
 */
function kindsOf(/** @type {Json} */ now, /** @type {Comparison} */ { direction, after }) {
  const variants = variantsOf(now);
  if (direction === 'in' || now['properties'] || variants.length === 0) return [now];
  return variants.map((variant) => resolved(variant, after));
}

/** Requires that each previous variant has a current variant that accepts it or equals it. @returns {string[]} */
function variantFaults(
  /** @type {Json} */ old,
  /** @type {Json} */ now,
  /** @type {string} */ at,
  /** @type {Comparison} */ comparison,
) {
  const variants = variantsOf(old);
  const today = variantsOf(now).length > 0 ? variantsOf(now) : [now];
  return variants.flatMap((variant) => {
    const faults = today.map((one) => schemaFaults(variant, one, at, comparison));
    const [least] = [...faults].sort((one, other) => one.length - other.length);
    return least ?? [`${at} has lost a variant`];
  });
}

/** @returns {Json[]} */
function variantsOf(/** @type {Json} */ schema) {
  return [...(schema['oneOf'] ?? []), ...(schema['anyOf'] ?? [])];
}

/** @returns {string[]} */
function typesOf(/** @type {Json} */ { type }) {
  return type === undefined ? [] : [type].flat();
}

/** @returns {string[]} */
function textsOf(/** @type {Json} */ schema) {
  return typesOf(schema).map((type) => (['boolean', 'integer', 'number'].includes(type) ? 'string' : type));
}

/** @returns {Json} */
function resolved(/** @type {Json} */ part, /** @type {Json} */ document) {
  const name = part['$ref'];
  if (name === undefined) return part;
  return name
    .slice(2)
    .split('/')
    .reduce((/** @type {Json} */ sofar, /** @type {string} */ step) => sofar[step], document);
}
