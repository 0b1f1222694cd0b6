import { type DescriptionNode, referredName, type SchemaNode } from './description-model';
import { inlineMarkdown } from './guides';
import { escaped } from './html';

/** Field as the search finds it. */
export interface FoundField {
  name: string;
  id: string;
  /** Names of the fields that contain it, outermost first. */
  trail: readonly string[];
  text: string;
}

/** Schema with its references, alternatives of null and compositions resolved. */
interface Resolved extends SchemaNode {
  /** Name in the description; absent for inline schemas. */
  name?: string;
  isNullable?: boolean;
}

/** Fields that a named schema must contain for a page to describe it once instead of at each use. */
const LEAST_SHARED_FIELDS = 6;
/** Maximum number of permitted values shown next to a field. A longer list is collapsed. */
const MOST_LISTED_VALUES = 16;

/** Renders the schemas of one page as lists of fields, in which nested objects are collapsed. */
export class FieldTree {
  readonly found: FoundField[] = [];
  private readonly ids = new Set<string>();

  /** @param shared names of the schemas that the page describes in sections of their own */
  constructor(
    private readonly schemas: DescriptionNode['components']['schemas'],
    private readonly shared: ReadonlySet<string>,
  ) {}

  /** Renders the fields of an object. @param prefix start of the fields' ids */
  fields(schema: SchemaNode, prefix: string): string {
    return this.children(this.resolved(schema), prefix, [], []);
  }

  /** Renders one parameter. */
  parameter(name: string, schema: SchemaNode, prefix: string, isRequired: boolean): string {
    return this.field(name, schema, { prefix, trail: [], isRequired, within: [] });
  }

  private field(
    name: string,
    schema: SchemaNode,
    { prefix, trail, isRequired, within }: { prefix: string; trail: string[]; isRequired: boolean; within: string[] },
  ): string {
    const resolved = this.resolved(schema);
    const id = this.idOf(`${prefix}.${name}`);
    const text = resolved.description ?? '';
    this.found.push({ name, id, trail, text });
    const marks = [
      `<span class="type">${this.typeOf(resolved)}</span>`,
      isRequired ? '<span class="required">required</span>' : '',
      resolved.deprecated ? '<span class="deprecated">deprecated</span>' : '',
    ].join('');
    const limits = limitsOf(resolved);
    const children = this.children(resolved, id, [...trail, name], within);
    return `<li id="${escaped(id)}"><a class="name" href="#${escaped(id)}">${escaped(name)}</a>${marks}${
      text ? `<p>${inlineMarkdown(text)}</p>` : ''
    }${limits ? `<p class="limits">${limits}</p>` : ''}${longList(resolved.enum)}${
      children ? `<details><summary>Fields of <code>${escaped(name)}</code></summary>${children}</details>` : ''
    }</li>`;
  }

  /** Renders the children of a schema: fields, item fields or alternatives. */
  private children(schema: Resolved, prefix: string, trail: string[], within: string[]): string {
    if (schema.name !== undefined) {
      if (within.includes(schema.name)) return '';
      if (within.length > 0 && this.shared.has(schema.name)) return '';
    }
    const inside = [...within, schema.name ?? ''];
    if (schema.items) return this.children(this.resolved(schema.items), prefix, trail, inside);
    if (schema.oneOf ?? schema.anyOf) return this.alternatives(schema, prefix, trail, inside);
    if (schema.properties)
      return this.list(schema.properties, schema.required ?? [], { prefix, trail, within: inside });
    if (typeof schema.additionalProperties === 'object')
      return this.children(this.resolved(schema.additionalProperties), prefix, trail, inside);
    return '';
  }

  private list(
    properties: Record<string, SchemaNode>,
    required: readonly string[],
    { prefix, trail, within }: { prefix: string; trail: string[]; within: string[] },
  ): string {
    const rank = (name: string): number => (properties[name]?.deprecated ? 2 : required.includes(name) ? 0 : 1);
    const names = Object.keys(properties).sort((one, other) => rank(one) - rank(other));
    if (names.length === 0) return '';
    const items = names.map((name) =>
      this.field(name, properties[name] ?? {}, { prefix, trail, isRequired: required.includes(name), within }),
    );
    return `<ul class="fields">${items.join('')}</ul>`;
  }

  /** Renders the fields that all alternatives have, then those of each alternative. */
  private alternatives(schema: Resolved, prefix: string, trail: string[], within: string[]): string {
    const variants = (schema.oneOf ?? schema.anyOf ?? [])
      .map((each) => ({ ref: each.$ref, variant: this.resolved(each) }))
      .filter(({ variant }) => variant.properties);
    const [first] = variants;
    if (!first) return '';
    const one = first.variant.properties ?? {};
    if (variants.length === 1) return this.list(one, first.variant.required ?? [], { prefix, trail, within });
    const tag = schema.discriminator?.propertyName;
    const common = Object.fromEntries(
      Object.entries(one).filter(([name, value]) =>
        variants.every(({ variant }) => JSON.stringify(variant.properties?.[name]) === JSON.stringify(value)),
      ),
    );
    const required = (first.variant.required ?? []).filter((name) =>
      variants.every(({ variant }) => variant.required?.includes(name)),
    );
    const items = variants.map(({ ref, variant }) => {
      const value = tag === undefined ? undefined : variant.properties?.[tag]?.const;
      const mapped = Object.entries(schema.discriminator?.mapping ?? {}).find(([, target]) => target === ref)?.[0];
      const key = String(value ?? mapped ?? variant.title ?? variant.name ?? 'object');
      const own = Object.fromEntries(
        Object.entries(variant.properties ?? {}).filter(([name]) => !(name in common) && name !== tag),
      );
      const fields = this.list(own, variant.required ?? [], {
        prefix: `${prefix}:${key.replace(/\W+/g, '-')}`,
        trail,
        within,
      });
      const title = tag === undefined ? escaped(key) : `<code>${escaped(tag)}</code> is <code>${escaped(key)}</code>`;
      const about = variant.description ? `<p>${inlineMarkdown(variant.description)}</p>` : '';
      return fields || about
        ? `<details><summary>${title}</summary>${about}${fields}</details>`
        : `<p class="alternative">${title}</p>`;
    });
    const lead = tag === undefined ? 'One of:' : `More fields, by <code>${escaped(tag)}</code>:`;
    const shown = this.list(common, required, { prefix, trail, within });
    return `${shown}<div class="alternatives"><p>${lead}</p>${items.join('')}</div>`;
  }

  private idOf(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.ids.has(id); count += 1) id = `${wanted}~${count}`;
    this.ids.add(id);
    return id;
  }

  private resolved(schema: SchemaNode): Resolved {
    const { $ref, ...own } = schema;
    if ($ref !== undefined) {
      const name = referredName($ref);
      return { ...this.resolved(this.schemas[name] ?? {}), name, ...own };
    }
    if (schema.allOf) {
      const parts = schema.allOf.map((part) => this.resolved(part));
      const { allOf: _, ...rest } = schema;
      return {
        ...Object.assign({}, ...parts),
        ...rest,
        properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties) as object,
        required: [...parts.flatMap(({ required = [] }) => required), ...(schema.required ?? [])],
      } as Resolved;
    }
    const alternatives = schema.anyOf ?? schema.oneOf;
    const others = alternatives?.filter(({ type }) => type !== 'null');
    if (!alternatives || !others || others.length === alternatives.length) return schema;
    const { anyOf: _, oneOf: __, ...rest } = schema;
    const [only] = others;
    return others.length === 1 && only
      ? { ...this.resolved(only), ...rest, isNullable: true }
      : { ...rest, oneOf: others, isNullable: true };
  }

  private typeOf(schema: Resolved): string {
    return `${this.plainTypeOf(schema)}${schema.isNullable ? ' or null' : ''}`;
  }

  private plainTypeOf(schema: Resolved): string {
    const { name, type, format, items, enum: values } = schema;
    if (name !== undefined && this.shared.has(name)) return `<a href="#${name}">${name}</a>`;
    if (items) return `array of ${this.typeOf(this.resolved(items))}`;
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) return [...new Set(alternatives.map((each) => this.typeOf(this.resolved(each))))].join(' or ');
    if (Array.isArray(type)) return type.join(' or ');
    if (format === 'binary') return 'file';
    if (format === 'date-time') return 'timestamp';
    if (type === undefined) return schema.properties ? 'object' : typeof (schema.const ?? values?.[0] ?? '');
    return format ? `${type} (${escaped(format)})` : type;
  }
}

/** Returns the names of the schemas that the roots use more than once and that are large enough for a section. */
export function sharedSchemas(roots: readonly SchemaNode[], schemas: Record<string, SchemaNode>): Set<string> {
  const uses = new Map<string, number>();
  const visit = (schema: SchemaNode, isVariant = false): void => {
    if (schema.$ref !== undefined) {
      const name = referredName(schema.$ref);
      const isKnown = uses.has(name);
      uses.set(name, (uses.get(name) ?? 0) + (isVariant ? 0 : 1));
      if (!isKnown) visit(schemas[name] ?? {});
      return;
    }
    for (const each of [...Object.values(schema.properties ?? {}), ...(schema.allOf ?? [])]) visit(each);
    const alternatives = schema.oneOf ?? schema.anyOf ?? [];
    const isNullable = alternatives.some(({ type }) => type === 'null');
    for (const each of alternatives) visit(each, !isNullable);
    if (schema.items) visit(schema.items);
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
  };
  for (const root of roots) visit(root, true);
  const names = [...uses].filter(
    ([name, count]) => count > 1 && sizeOf(schemas[name] ?? {}, schemas) >= LEAST_SHARED_FIELDS,
  );
  return new Set(names.map(([name]) => name));
}

/** Returns the number of fields in a schema, each named schema counted once. */
function sizeOf(schema: SchemaNode, schemas: Record<string, SchemaNode>, seen = new Set<string>()): number {
  if (schema.$ref !== undefined) {
    const name = referredName(schema.$ref);
    if (seen.has(name)) return 0;
    return sizeOf(schemas[name] ?? {}, schemas, seen.add(name));
  }
  const nested = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  const own = Object.keys(schema.properties ?? {}).length;
  return nested.reduce((sum, each) => sum + sizeOf(each, schemas, seen), own);
}

const code = (value: unknown): string =>
  `<code>${escaped(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;

const listed = (values: readonly unknown[]): string => values.map(code).join(', ');

function longList(values: readonly unknown[] = []): string {
  if (values.length <= MOST_LISTED_VALUES) return '';
  return `<details><summary>${values.length} values</summary><p class="limits">${listed(values)}</p></details>`;
}

/** Renders the limits of a value: permitted values, sizes, pattern, default and example. */
function limitsOf(schema: Resolved): string {
  const given = schema.items && !schema.items.$ref ? { ...schema.items, ...schema } : schema;
  const { pattern, example, enum: values } = given;
  return [
    values && values.length <= MOST_LISTED_VALUES ? `One of ${listed(values)}` : '',
    given.const === undefined ? '' : `Always ${code(given.const)}`,
    rangeOf(given.minLength, given.maxLength, 'characters'),
    rangeOf(given.minItems, given.maxItems, 'items'),
    rangeOf(given.minimum, given.maximum, ''),
    pattern === undefined ? '' : `Pattern ${code(pattern)}`,
    given.default === undefined ? '' : `Default ${code(given.default)}`,
    example === undefined || typeof example === 'object' ? '' : `Example ${code(example)}`,
  ]
    .filter(Boolean)
    .map((limit) => `<span>${limit}</span>`)
    .join(' ');
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  const figure = (value: number): string => value.toLocaleString('en-US');
  if (least !== undefined && most !== undefined)
    return least === most ? `${figure(least)} ${unit}` : `${figure(least)} to ${figure(most)} ${unit}`;
  if (most !== undefined) return `At most ${figure(most)} ${unit}`;
  return least === undefined ? '' : `At least ${figure(least)} ${unit}`;
}
