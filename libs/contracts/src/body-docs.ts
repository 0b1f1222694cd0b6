import { Allow, getMetadataStorage, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Transform, transformOfProperty, Type, typeOfProperty } from './body-values';
import type { BodyClass } from './message-contract';
import { PHONE_PATTERN, USER_ID_PATTERN } from './phone';

/** JSON Schema in the dialect of OpenAPI 3.1 (2020-12), as far as this API needs it. */
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
  description:
    'Digits only, without the leading plus; or the user id, as in events, of a contact whose number is hidden',
  pattern: `${PHONE_PATTERN.source}|${USER_ID_PATTERN.source}`,
  example: '919812345678',
};
/** ISO 8601 UTC with milliseconds (spec §1.3.3). */
export const TIME_SCHEMA: Schema = { type: 'string', format: 'date-time', example: '2026-03-02T10:15:00.000Z' };

/** Schemas without a class of their own, by the names of their components. */
export const NAMED_SCHEMAS: Record<string, Schema> = {
  UpstreamMessageId: {
    type: 'string',
    description: 'ID of a message at the upstream platform',
    example: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD',
  },
};
/** Name of the component for the upstream platform's identifier of a message. */
export const UPSTREAM_MESSAGE_ID: Schema = { $ref: '#/components/schemas/UpstreamMessageId' };

/** Object whose structure the upstream platform defines. */
export const ANY_OBJECT: Schema = { type: 'object', additionalProperties: true };

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** Description of a property by the decorators of this file, in addition to its rules. */
export interface PropertyDocs {
  /** Description, examples, and bounds that are narrower than the rules because they are checked later. */
  schema: Schema;
  /** True for a property that is optional by its rules but present in every response, possibly as null. */
  isAlwaysThere: boolean;
  mayBeNull: boolean;
  /** Allowed schemas of the value, or of each element of a list. */
  alternatives: readonly (Schema | BodyClass)[];
  /** True for a property that exists only to be rejected. */
  isHidden: boolean;
  /** Name of the property at the upstream platform, which callers may use as well. */
  alias?: string;
}

/** Description of a body class by the decorators of this file. */
export interface BodyDocs {
  /** Name of its schema in the API description. */
  name: string;
  description?: string;
  /** Called when the API description is built: samples are often declared below the class. */
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
    // Decorators run from last to first, and the first one takes precedence.
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
 * @param description plain text; Markdown for names
 * @param more an example, or bounds that are narrower than the rules
 */
export function Doc(description: string | undefined, more: Schema = {}): PropertyDecorator {
  return note({ schema: { ...(description !== undefined && { description }), ...more } });
}

/**
 * Describes an ISO 8601 time in UTC with milliseconds, as internal services write it (spec §1.3.3). Accepts any text.
 */
export function IsTime(): PropertyDecorator {
  const { format, example } = TIME_SCHEMA;
  return all(IsString(), note({ schema: { format, example } }));
}

/** Validates a property as optional, but describes it as always present and null when empty. */
export function OrNull(): PropertyDecorator {
  return all(IsOptional(), note({ isAlwaysThere: true, mayBeNull: true }));
}

/** Validates as optional a property that the previous version does not send, but describes it as always present. */
export function AddedLater(): PropertyDecorator {
  return all(IsOptional(), note({ isAlwaysThere: true }));
}

/** Declares an object of the class. */
export function Nested(type: () => BodyClass): PropertyDecorator {
  return all(ValidateNested(), Type(type));
}

/** Declares a list of objects of the class. */
export function ListOf(type: () => BodyClass): PropertyDecorator {
  return all(IsArray(), ValidateNested({ each: true }), Type(type));
}

/** Allowed schemas of the value, or of each element of a list. */
export function Either(...alternatives: (Schema | BodyClass)[]): PropertyDecorator {
  return all(Allow(), note({ alternatives }));
}

/** Omits from the description a property that exists only to be rejected. */
export function Hidden(): PropertyDecorator {
  return note({ isHidden: true });
}

/**
 * Lets callers use the upstream name of the property instead. The property name takes precedence if both are given;
 * services know only the latter.
 */
export function Alias(alias: string): PropertyDecorator {
  return note({ alias });
}

/** Names and describes the schema of a body class; the name defaults to the class name. */
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
 * Returns the description by `BodySchema` or `Answer`, or only the class name if there is none. Nothing is inherited.
 */
export function bodyDocsOf(type: BodyClass): BodyDocs {
  return ofBodies.get(type) ?? { name: type.name };
}

/** Returns the description of a property by the class or its nearest parent that has one. */
export function propertyDocsOf(type: BodyClass, name: string): PropertyDocs {
  for (let one: unknown = type; typeof one === 'function'; one = Object.getPrototypeOf(one)) {
    const docs = ofProperties.get(one)?.get(name);
    if (docs) return docs;
  }
  return NO_DOCS;
}

/**
 * Returns a class with the properties of both, for `extends`. Nest's function of this name would lose what the
 * decorators of this file and of `body-values.ts` declare. Initial values of the second class are not taken over.
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
