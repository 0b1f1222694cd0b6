import {
  bodyDocsOf,
  type BodyDocs,
  type BodyClass,
  type BodyProperty,
  type BodyRule,
  ID_PATTERNS,
  NAMED_SCHEMAS,
  PHONE_SCHEMA,
  propertiesOf,
  propertyDocsOf,
  RECIPIENT_SCHEMA,
  type Schema,
  TIME_SCHEMA,
} from '@switchboard/contracts';

type Constraints = readonly unknown[];

/** Schemas by validation rule; empty if JSON Schema cannot express the rule. An unknown rule is an error. */
const SCHEMA_OF_RULE: Record<string, (constraints: Constraints) => Schema> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),
  isObjectOrList: () => ({}),
  isIn: ([values]) => ofValues(values as (string | boolean)[]),
  equals: ([value]) => ofValues([value as string | boolean]),
  minLength: ([least]) => ({ minLength: least as number }),
  maxLength: ([most]) => ({ maxLength: most as number }),
  maxUnits: ([most]) => ({ maxLength: most as number }),
  min: ([least]) => ({ minimum: least as number }),
  max: ([most]) => ({ maximum: most as number }),
  arrayMinSize: ([least]) => ({ minItems: least as number }),
  arrayMaxSize: ([most]) => ({ maxItems: most as number }),
  matches: ([pattern]) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  isIso8601: () => TIME_SCHEMA,
  isPhoneNumber: () => PHONE_SCHEMA,
  isRecipient: () => RECIPIENT_SCHEMA,
  isMediaLink: () => ({ format: 'uri', maxLength: 2048, example: 'https://example.com/receipt.pdf' }),
  isMediaId: () => ({ pattern: ID_PATTERNS.med.source, example: 'med_01jd0000000000000000000000' }),
  isInsteadOf: () => ({}),
  isStorableText: () => ({}),
  isStorableJson: () => ({}),
  isNotBlank: () => ({}),
  maxJsonBytes: () => ({}),
  hasNoForeignCaption: () => ({}),
  isPlainName: () => ({}),
  hasNoFault: () => ({}),
  isWebAddress: () => ({ format: 'uri', maxLength: 2048 }),
};

function ofValues(values: readonly (string | boolean)[]): Schema {
  const type = typeof values[0] === 'boolean' ? 'boolean' : 'string';
  const [only, ...others] = values;
  return others.length === 0 && only !== undefined ? { type, const: only } : { type, enum: values };
}

/** Collects the schemas of body classes by name, including referenced ones. */
export class SchemaRegistry {
  /** Schemas by name; complete once all operations have been described. */
  readonly schemas: Record<string, Schema> = {};
  private readonly types = new Map<string, BodyClass>();

  /** @param ofAnswers properties that every response has after its own */
  constructor(private readonly ofAnswers: Record<string, Schema> = {}) {}

  /**
   * Returns a reference to the schema of a class.
   * @throws Error if another class has the same name
   */
  refTo(type: BodyClass): Schema {
    const { name } = bodyDocsOf(type);
    const known = this.types.get(name);
    if (known !== undefined && known !== type) throw new Error(`two body classes are described as ${name}`);
    if (known === undefined) {
      this.types.set(name, type);
      // Reserves the position before the schemas that this one refers to.
      this.schemas[name] = {};
      Object.assign(this.schemas[name], this.schemaOf(type));
    }
    return refToName(name);
  }

  /** Adds the component that a schema refers to. */
  private known(schema: Schema): Schema {
    const name = schema.$ref?.slice(SCHEMAS.length);
    if (name !== undefined) this.schemas[name] ??= NAMED_SCHEMAS[name] as Schema;
    return schema;
  }

  private schemaOf(type: BodyClass): Schema {
    const { kinds, description, example, isAnswer } = bodyDocsOf(type);
    const properties = propertiesOf(type).filter(({ name }) => !propertyDocsOf(type, name).isHidden);
    if (kinds) return this.unionOf(type, properties, kinds);
    const own = properties.flatMap((property) => this.namesOf(type, property));
    return {
      ...objectOf(
        isAnswer
          ? { success: { type: 'boolean', const: true }, ...Object.fromEntries(own), ...this.ofAnswers }
          : Object.fromEntries(own),
        [
          ...(isAnswer ? ['success'] : []),
          ...properties.filter((one) => isRequired(type, one)).map(({ name }) => name),
        ],
      ),
      ...(description !== undefined && { description }),
      ...(example && { example: example() }),
    };
  }

  /** Adds a schema for each kind and returns their union. */
  private unionOf(
    type: BodyClass,
    properties: readonly BodyProperty[],
    { by, nameOf, mayLack = [] }: NonNullable<BodyDocs['kinds']>,
  ): Schema {
    const rules = properties.find(({ name }) => name === by)?.rules ?? [];
    const kinds = rules.find(({ name }) => name === 'isIn')?.constraints[0] as string[];
    for (const kind of kinds) {
      const own = properties.filter(
        ({ name }) => (name === kind || !kinds.includes(name)) && mayHave(rules, kind, name),
      );
      const members = own.flatMap((property): [string, Schema][] =>
        property.name === by ? [[by, { type: 'string', const: kind }]] : this.namesOf(type, property),
      );
      const required = own.filter(
        (property) => (property.name === kind && !mayLack.includes(kind)) || isRequired(type, property),
      );
      this.schemas[nameOf(kind)] = {
        title: kind,
        ...objectOf(
          Object.fromEntries(members),
          required.map(({ name }) => name),
        ),
      };
    }
    const { description, example } = bodyDocsOf(type);
    return {
      ...(description !== undefined && { description }),
      oneOf: kinds.map((kind) => refToName(nameOf(kind))),
      discriminator: {
        propertyName: by,
        mapping: Object.fromEntries(kinds.map((kind) => [kind, `${SCHEMAS}${nameOf(kind)}`])),
      },
      ...(example && { example: example() }),
    };
  }

  /** Returns the schema of a property for each of its names. */
  private namesOf(type: BodyClass, property: BodyProperty): [name: string, schema: Schema][] {
    const { name, alias } = property;
    const schema = this.ofProperty(type, property);
    return alias === undefined
      ? [[name, schema]]
      : [
          [name, schema],
          [alias, { ...schema, description: `Alias of \`${name}\`` }],
        ];
  }

  private ofProperty(type: BodyClass, property: BodyProperty): Schema {
    const docs = propertyDocsOf(type, property.name);
    const isList = property.rules.some(({ name, each }) => name === 'isArray' && !each);
    const ofEach = mergedOf(property.rules.filter(({ each }) => each));
    const nested = property.typeOf && this.refTo(property.typeOf({}));
    const alternatives = docs.alternatives.map((one) =>
      typeof one === 'function' ? this.refTo(one) : this.known(one),
    );
    const inner = alternatives.length > 0 ? oneOf(alternatives) : (nested ?? openIfObject(ofEach));
    const whole = mergedOf(property.rules.filter(({ each }) => !each));
    const hasInner = alternatives.length > 0 || nested !== undefined;
    const schema = isList ? { ...whole, items: inner } : hasInner ? inner : openIfObject(whole);
    const described = withDocs(docs.mayBeNull ? orNull(schema) : schema, docs.schema);
    if (!isTyped(described) || (isList && !isTyped(inner)))
      throw new Error(`${type.name}.${property.name} has no type: add @IsArray() to a list, or its type to @Doc()`);
    return described;
  }
}

/** Checks whether the schema restricts its value to a type. Client generators turn a schema without one into `any`. */
function isTyped({ type, $ref, const: only, enum: values, oneOf: some, anyOf, allOf }: Schema): boolean {
  return [type, $ref, only, values, some, anyOf, allOf].some((part) => part !== undefined);
}

const BOUNDS_OF_TEXT: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'pattern']);
const SCHEMAS = '#/components/schemas/';
export const refToName = (name: string): Schema => ({ $ref: SCHEMAS + name });

/** Returns a schema that allows any of the given ones; a single schema is returned unchanged. */
export function oneOf(alternatives: Schema[]): Schema {
  return alternatives.length === 1 ? (alternatives[0] as Schema) : { oneOf: alternatives };
}

/** Returns an object schema that allows additional properties, since the API may add properties at any time. */
function objectOf(properties: Record<string, Schema>, required: string[]): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function mergedOf(rules: readonly BodyRule[]): Schema {
  const parts = rules.map(({ name, constraints }) => {
    const schemaOf = SCHEMA_OF_RULE[name];
    if (!schemaOf) throw new Error(`the description does not know the rule ${name}`);
    return schemaOf(constraints);
  });
  return Object.assign({}, ...parts) as Schema;
}

/** Allows any properties in an object without a class. */
function openIfObject(schema: Schema): Schema {
  return schema.type === 'object' ? { ...schema, additionalProperties: true } : schema;
}

/** Adds null to a schema, since neither an enum nor a reference includes it. */
function orNull(schema: Schema): Schema {
  if (schema.type === undefined || schema.enum || schema.const !== undefined)
    return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'].flat() as Schema['type'] & unknown[] };
}

/** Omits bounds beside enumerated values, which are redundant and make some client generators fail. */
function withDocs(schema: Schema, docs: Schema): Schema {
  const whole = { ...schema, ...docs };
  if (!whole.enum && whole.const === undefined) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !BOUNDS_OF_TEXT.has(name)));
}

function isRequired(type: BodyClass, { name, conditions }: BodyProperty): boolean {
  return conditions.length === 0 || propertyDocsOf(type, name).isAlwaysThere;
}

/** Checks whether objects of a kind may have a property; for example, some kinds have no caption. */
function mayHave(rulesOfKind: readonly BodyRule[], kind: string, name: string): boolean {
  const captioned = rulesOfKind.find((rule) => rule.name === 'hasNoForeignCaption')?.constraints[0];
  return name !== 'caption' || !Array.isArray(captioned) || captioned.includes(kind);
}
