import type { Schema } from './schema';

/** More would tell a caller nothing. */
const MOST_UNKNOWN = 10;

/** Which fields a value may have; one with neither fields nor items may be anything. */
export interface KnownFields {
  fields?: ReadonlyMap<string, KnownFields>;
  items?: KnownFields;
}

/**
 * The fields that a schema names, in any of its alternatives.
 * @param schemas what it may refer to, by name
 */
export function knownFieldsOf(schema: Schema, schemas: Record<string, Schema>): KnownFields {
  const alternatives = alternativesOf(schema, schemas);
  const objects = alternatives.filter(({ type, properties }) => properties !== undefined || type === 'object');
  const items = alternatives.flatMap((alternative) => alternative.items ?? []);
  const isOpen = objects.length === 0 || objects.some(({ properties, additionalProperties }) => properties === undefined || additionalProperties === true);
  return {
    ...(!isOpen && { fields: fieldsOf(objects, schemas) }),
    ...(items.length > 0 && { items: knownFieldsOf({ anyOf: items }, schemas) }),
  };
}

function fieldsOf(objects: readonly Schema[], schemas: Record<string, Schema>): ReadonlyMap<string, KnownFields> {
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})));
  return new Map([...names].map((name) => [name, knownFieldsOf({ anyOf: objects.flatMap(({ properties }) => properties?.[name] ?? []) }, schemas)]));
}

/** The schema itself, or what it may be instead. */
function alternativesOf(schema: Schema, schemas: Record<string, Schema>): Schema[] {
  const { $ref, oneOf = [], anyOf = [], allOf = [] } = schema;
  const referred = $ref === undefined ? undefined : schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  const parts = [...(referred ? [referred] : []), ...oneOf, ...anyOf, ...allOf];
  return parts.length === 0 ? [schema] : parts.flatMap((part) => alternativesOf(part, schemas));
}

/** Where a value has fields that are not known: names and positions, joined by dots; the first ones. */
export function unknownFieldsOf(value: unknown, known: KnownFields): string[] {
  const unknown: string[] = [];
  look(value, known, { path: '', unknown });
  return unknown;
}

function look(value: unknown, { fields, items }: KnownFields, { path, unknown }: { path: string; unknown: string[] }): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (unknown.length >= MOST_UNKNOWN) return;
      // Of many thousand recipients most are plain texts.
      if (items && isObject(item)) look(item, items, { path: `${path}${index}.`, unknown });
    }
    return;
  }
  if (!isObject(value) || !fields) return;
  for (const name of Object.keys(value)) {
    if (unknown.length >= MOST_UNKNOWN) return;
    const inner = fields.get(name);
    const member = (value as Record<string, unknown>)[name];
    if (!inner) unknown.push(path + name);
    else if (isObject(member)) look(member, inner, { path: `${path}${name}.`, unknown });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
