import type { Schema } from '@switchboard/contracts';

/** More would tell a caller nothing. */
const MOST_UNKNOWN = 10;

/** Which fields a value may have; one with neither fields nor items may be anything. */
export interface KnownFields {
  fields?: ReadonlyMap<string, KnownFields>;
  items?: KnownFields;
  /**
   * Of an object whose field `by` says which of some kinds it is: the fields of each kind. Other values of it have all
   * of them.
   */
  kinds?: { by: string; fieldsOf: ReadonlyMap<unknown, KnownFields> };
}

/**
 * The fields that a schema names: of an object of several kinds those of its kind, otherwise those of any alternative.
 * @param schemas what it may refer to, by name
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

/** The schema itself, or what it may be instead. */
function alternativesOf(schema: Schema, schemas: Record<string, Schema>): Schema[] {
  const { $ref, oneOf = [], anyOf = [], allOf = [] } = schema;
  const parts = [...($ref === undefined ? [] : [referredBy($ref, schemas)]), ...oneOf, ...anyOf, ...allOf];
  return parts.length === 0 ? [schema] : parts.flatMap((part) => alternativesOf(part, schemas));
}

/** An unknown name stands for a schema that takes anything. */
function referredBy($ref: string, schemas: Record<string, Schema>): Schema {
  return schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {};
}

/** Fields of a value that nothing reads: names and positions, joined by dots. */
export interface UnusedFields {
  unknown: string[];
  /** For an unknown field, the known one beside it that differs only in case and underscores. */
  meant: Map<string, string>;
  /** In snake case, beside the same field in camel case, which counts (spec §3.10.8). */
  overridden: { field: string; by: string }[];
}

/** Where a value has fields that are not known; the first ones. */
export function unknownFieldsOf(value: unknown, known: KnownFields): string[] {
  return unusedFieldsOf(value, known).unknown;
}

/** Where a value has fields that nothing reads; the first ones of each sort. */
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
      // Of many thousand recipients most are plain texts.
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

/** A longer name is no slip of a known one, and may be as long as the body. */
const LONGEST_COMPARED = 100;

const inCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const lettersOf = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** A value whose kind is not known is refused elsewhere, or has nothing of one kind only. */
function ofKind(value: unknown, known: KnownFields): KnownFields {
  if (!known.kinds || !isObject(value)) return known;
  return known.kinds.fieldsOf.get((value as Record<string, unknown>)[known.kinds.by]) ?? known;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
