import { Allow, getMetadataStorage, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Transform, transformOfProperty, Type, typeOfProperty } from './body-values';
import type { BodyClass } from './message-contract';
import { PHONE_PATTERN, USER_ID_PATTERN } from './phone';

/** Subset of JSON Schema 2020-12, the dialect of OpenAPI 3.1, that this API needs. */
export interface Schema {
  $ref?: string;
  type?: SchemaType | SchemaType[];
  title?: string;
  description?: string;
  deprecated?: boolean;
  format?: string;
  pattern?: string;
  const?: string | number | boolean;
  enum?: readonly (string | number | boolean | null)[];
  default?: string | number | boolean;
  example?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  contentMediaType?: string;
}
/** Phone number in the format of the API. */
export const PHONE_SCHEMA: Schema = {
  type: 'string',
  description: 'Digits only, without the leading plus',
  pattern: PHONE_PATTERN.source,
  example: '919812345678',
};
/** Phone number or user id. */
export const RECIPIENT_SCHEMA: Schema = {
  type: 'string',
  description: 'Digits only, without the leading plus. For a contact whose number is hidden: the user id, as in events',
  pattern: `${PHONE_PATTERN.source}|${USER_ID_PATTERN.source}`,
  example: '919812345678',
};
/** Time in ISO 8601 UTC with milliseconds (spec §1.3.3). */
export const TIME_SCHEMA: Schema = { type: 'string', format: 'date-time', example: '2026-03-02T10:15:00.000Z' };

/** Schemas that belong to no class, by component name. */
export const NAMED_SCHEMAS: Record<string, Schema> = {
  UpstreamMessageId: {
    type: 'string',
    description: 'ID of a message at the upstream platform',
    example: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD',
  },
};
/** Reference to the component schema for upstream message ids. */
export const UPSTREAM_MESSAGE_ID: Schema = { $ref: '#/components/schemas/UpstreamMessageId' };

/** Schema of an object whose structure the upstream platform defines. */
export const ANY_OBJECT: Schema = { type: 'object', additionalProperties: true };

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** API description of a property, from the decorators in this file. */
export interface PropertyDocs {
  /** Description, examples, and bounds narrower than the validation rules, for values that are validated later. */
  schema: Schema;
  /** True for a property that validation treats as optional but that every response includes, possibly as null. */
  isAlwaysThere: boolean;
  mayBeNull: boolean;
  /** Allowed schemas of the value, or of each element of a list. */
  alternatives: readonly (Schema | BodyClass)[];
  /** True for a property that is declared only so that validation rejects it. */
  isHidden: boolean;
  /** Upstream name of the property, which a request may use instead. */
  alias?: string;
}

/** API description of a body class, from the decorators in this file. */
export interface BodyDocs {
  /** Name of its schema in the API description. */
  name: string;
  description?: string;
  /** Returns an example. Called lazily, because samples are often declared below the class. */
  example?: () => object;
  /** True for the body of a successful response: `success: true` precedes the declared properties (spec §1.1.4). */
  isAnswer?: boolean;
  /**
   * Variants of the class. The property `by` holds the variant, and the property named after the variant holds its
   * content.
   * @param nameOf name of the schema of a variant
   * @param mayLack variants whose content may be absent
   */
  kinds?: { by: string; nameOf(kind: string): string; mayLack?: readonly string[] };
}

const NO_DOCS: PropertyDocs = {
  schema: {},
  isAlwaysThere: false,
  mayBeNull: false,
  alternatives: [],
  isHidden: false,
};
const ofProperties = new WeakMap<object, Map<string | symbol, PropertyDocs>>();
const ofBodies = new WeakMap<object, BodyDocs>();

function note(docs: Partial<PropertyDocs>): PropertyDecorator {
  return (prototype, name) => {
    const own = ofProperties.get(prototype.constructor) ?? new Map<string | symbol, PropertyDocs>();
    const before = own.get(name) ?? NO_DOCS;
    // Decorators run from last to first; the first one takes precedence.
    own.set(name, { ...before, ...docs, schema: { ...before.schema, ...docs.schema } });
    ofProperties.set(prototype.constructor, own);
  };
}

function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of decorators) decorate(prototype, name);
  };
}

/**
 * Describes a property in the API description.
 * @param description plain text, with names as Markdown code
 * @param more an example, or bounds narrower than the validation rules
 */
export function Doc(description: string | undefined, more: Schema = {}): PropertyDecorator {
  return note({ schema: { ...(description !== undefined && { description }), ...more } });
}

/**
 * Describes a time in ISO 8601 UTC with milliseconds, as internal services write it (spec §1.3.3). Validates only that
 * the value is a string.
 */
export function IsTime(): PropertyDecorator {
  const { format, example } = TIME_SCHEMA;
  return all(IsString(), note({ schema: { format, example } }));
}

/** Validates a property as optional, but describes it as always present and null when empty. */
export function OrNull(): PropertyDecorator {
  return all(IsOptional(), note({ isAlwaysThere: true, mayBeNull: true }));
}

/**
 * Makes a property optional in validation, since the previous version does not send it, but required in the API
 * description.
 */
export function AddedLater(): PropertyDecorator {
  return all(IsOptional(), note({ isAlwaysThere: true }));
}

/** Declares a nested object of the given class. */
export function Nested(type: () => BodyClass): PropertyDecorator {
  return all(ValidateNested(), Type(type));
}

/** Declares a list of objects of the given class. */
export function ListOf(type: () => BodyClass): PropertyDecorator {
  return all(IsArray(), ValidateNested({ each: true }), Type(type));
}

/** Declares the allowed schemas of a value, or of each element of a list. */
export function Either(...alternatives: (Schema | BodyClass)[]): PropertyDecorator {
  return all(Allow(), note({ alternatives }));
}

/** Omits a property from the API description because it is declared only so that validation rejects it. */
export function Hidden(): PropertyDecorator {
  return note({ isHidden: true });
}

/**
 * Lets requests use the upstream name of a property. If a request has both names, the property name takes precedence.
 * Services receive only the property name.
 */
export function Alias(alias: string): PropertyDecorator {
  return note({ alias });
}

/** Names and describes the schema of a body class; the name defaults to that of the class. */
export function BodySchema(docs: Partial<BodyDocs> = {}): ClassDecorator {
  return (type) => void ofBodies.set(type, { name: type.name, ...docs });
}

/** Converts the name of a variant: `coupon_code` becomes `CouponCode`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Names and describes the body of a successful response. */
export function Answer(docs: Partial<BodyDocs> = {}): ClassDecorator {
  return BodySchema({ ...docs, isAnswer: true });
}

/**
 * Returns the description given by `BodySchema` or `Answer`, or just the class name. Descriptions are not inherited.
 */
export function bodyDocsOf(type: BodyClass): BodyDocs {
  return ofBodies.get(type) ?? { name: type.name };
}

/** Returns the description of a property from the class or from its nearest parent that describes the property. */
export function propertyDocsOf(type: BodyClass, name: string): PropertyDocs {
  for (let one: unknown = type; typeof one === 'function'; one = Object.getPrototypeOf(one)) {
    const docs = ofProperties.get(one)?.get(name);
    if (docs) return docs;
  }
  return NO_DOCS;
}

/**
 * Returns a class with the properties of both classes, for use with `extends`. Unlike Nest's function of the same name,
 * it keeps what the decorators in this file and in `body-values.ts` declare. Initial values of the second class are
 * lost.
 */
export function IntersectionType<First extends object, Second extends object>(
  first: new () => First,
  second: new () => Second,
): new () => First & Second {
  class Both extends (first as new () => object) {}
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(second, '', false, false);
  for (const rule of rules)
    storage.addValidationMetadata(Object.assign(Object.create(rule) as typeof rule, rule, { target: Both }));
  for (const name of new Set(rules.map(({ propertyName }) => propertyName))) {
    note(propertyDocsOf(second, name))(Both.prototype, name);
    const [typeOf, transform] = [typeOfProperty(second, name), transformOfProperty(second, name)];
    if (typeOf) Type(typeOf)(Both.prototype, name);
    if (transform) Transform(transform)(Both.prototype, name);
  }
  return Both as new () => First & Second;
}
