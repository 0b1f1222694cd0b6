import type { Schema } from '@switchboard/contracts';

/** Maximum number of reported unknown fields; more would not help the caller. */
const MOST_UNKNOWN = 10;

/** Known fields of a value. Without fields and items, any value is allowed. */
export interface KnownFields {
  fields?: ReadonlyMap<string, KnownFields>;
  items?: KnownFields;
  /** Fields by kind, for an object whose field `by` selects its kind. Unknown kinds allow the fields of all kinds. */
  kinds?: { by: string; fieldsOf: ReadonlyMap<unknown, KnownFields> };
}

/**
 * Returns the known fields of a schema: by kind for an object of several kinds, otherwise those of any alternative.
 * @param schemas schemas by name, for resolving references
 */
export function knownFieldsOf(schema: Schema, schemas: Record<string, Schema>): KnownFields {
  const { discriminator } = schema.$ref === undefined ? schema : referredBy(schema.$ref, schemas);
  const kinds = Object.entries(discriminator?.mapping ?? {}).map(
    ([kind, $ref]) => [kind, ofAnyAlternative({ $ref }, schemas)] as const,
  );
  const known = ofAnyAlternative(schema, schemas);
  return discriminator && kinds.length > 0
    ? { ...known, kinds: { by: discriminator.propertyName, fieldsOf: new Map(kinds) } }
    : known;
}

function ofAnyAlternative(schema: Schema, schemas: Record<string, Schema>): KnownFields {
  const alternatives = alternativesOf(schema, schemas);
  const objects = alternatives.filter(({ type, properties }) => properties !== undefined || type === 'object');
  const items = alternatives.flatMap((alternative) => alternative.items ?? []);
  const isOpen =
    objects.length === 0 ||
    objects.some(({ properties, additionalProperties }) => properties === undefined || additionalProperties === true);
  return {
    ...(!isOpen && { fields: fieldsOf(objects, schemas) }),
    ...(items.length > 0 && { items: knownFieldsOf({ anyOf: items }, schemas) }),
  };
}

function fieldsOf(objects: readonly Schema[], schemas: Record<string, Schema>): ReadonlyMap<string, KnownFields> {
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})));
  return new Map(
    [...names].map((name) => [
      name,
      knownFieldsOf({ anyOf: objects.flatMap(({ properties }) => properties?.[name] ?? []) }, schemas),
    ]),
  );
}

/** Returns the alternatives of a schema, or the schema itself. */
function alternativesOf(schema: Schema, schemas: Record<string, Schema>): Schema[] {
  const { $ref, oneOf = [], anyOf = [], allOf = [] } = schema;
  const parts = [...($ref === undefined ? [] : [referredBy($ref, schemas)]), ...oneOf, ...anyOf, ...allOf];
  return parts.length === 0 ? [schema] : parts.flatMap((part) => alternativesOf(part, schemas));
}

/** Resolves a reference. An unknown name allows any value. */
function referredBy($ref: string, schemas: Record<string, Schema>): Schema {
  return schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {};
}

/** Unused fields of a value, as paths of names and positions joined by dots. */
export interface UnusedFields {
  unknown: string[];
  /** Known siblings that differ from an unknown field only in case and underscores, by the unknown field. */
  meant: Map<string, string>;
  /** Fields in snake case beside the same field in camel case, which takes precedence (spec §3.10.8). */
  overridden: { field: string; by: string }[];
}

/** Returns the first unknown fields of a value. */
export function unknownFieldsOf(value: unknown, known: KnownFields): string[] {
  return unusedFieldsOf(value, known).unknown;
}

/** Returns the first unused fields of each sort, up to `MOST_UNKNOWN`. */
export function unusedFieldsOf(value: unknown, known: KnownFields): UnusedFields {
  const unused: UnusedFields = { unknown: [], meant: new Map(), overridden: [] };
  look(value, known, { path: '', unused });
  return unused;
}

function look(value: unknown, known: KnownFields, { path, unused }: { path: string; unused: UnusedFields }): void {
  const { fields, items } = ofKind(value, known);
  const { unknown, meant, overridden } = unused;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (unknown.length >= MOST_UNKNOWN) return;
      // Skips plain texts, which most recipients are.
      if (items && isObject(item)) look(item, items, { path: `${path}${index}.`, unused });
    }
    return;
  }
  if (!isObject(value) || !fields) return;
  for (const name of Object.keys(value)) {
    if (unknown.length >= MOST_UNKNOWN) return;
    const inner = fields.get(name);
    const member = (value as Record<string, unknown>)[name];
    if (!inner) {
      unknown.push(path + name);
      const letters = name.length <= LONGEST_COMPARED ? lettersOf(name) : undefined;
      const similar = [...fields.keys()].find((field) => lettersOf(field) === letters);
      if (similar !== undefined) meant.set(path + name, path + similar);
      continue;
    }
    const twin = name.includes('_') ? inCamelCase(name) : name;
    if (twin !== name && fields.has(twin) && Object.hasOwn(value, twin)) {
      if (overridden.length < MOST_UNKNOWN) overridden.push({ field: path + name, by: path + twin });
    } else if (isObject(member)) look(member, inner, { path: `${path}${name}.`, unused });
  }
}

/** Maximum length of a name to compare. A longer name is not a typo and may be as long as the body. */
const LONGEST_COMPARED = 100;

const inCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const lettersOf = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Returns the fields of the value's kind. Unknown kinds are rejected elsewhere. */
function ofKind(value: unknown, known: KnownFields): KnownFields {
  if (!known.kinds || !isObject(value)) return known;
  return known.kinds.fieldsOf.get((value as Record<string, unknown>)[known.kinds.by]) ?? known;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
