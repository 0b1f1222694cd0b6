import { Allow, getMetadataStorage, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Transform, transformOfProperty, Type, typeOfProperty } from './body-values';
import type { BodyClass } from './message-contract';
import { PHONE_PATTERN, USER_ID_PATTERN } from './phone';

/** A JSON Schema of the dialect that OpenAPI 3.1 speaks (2020-12), as far as this API needs it. */
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
/** A phone number as the API writes it. */
export const PHONE_SCHEMA: Schema = {
  type: 'string',
  description: 'Digits only, without the plus',
  pattern: PHONE_PATTERN.source,
  example: '919812345678',
};
/** A phone number, or a user id in its place. */
export const RECIPIENT_SCHEMA: Schema = {
  type: 'string',
  description: 'Digits only, without the plus; or the user id of a person who hides their number, as events name it',
  pattern: `${PHONE_PATTERN.source}|${USER_ID_PATTERN.source}`,
  example: '919812345678',
};
/** ISO 8601 UTC with milliseconds (spec §1.3.3). */
export const TIME_SCHEMA: Schema = { type: 'string', format: 'date-time', example: '2026-03-02T10:15:00.000Z' };

/** Schemas without a class of their own, by the names of their components. */
export const NAMED_SCHEMAS: Record<string, Schema> = {
  UpstreamMessageId: {
    type: 'string',
    description: "The upstream platform's identifier of a message",
    example: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD',
  },
};
/** Name of the component for the upstream platform's identifier of a message. */
export const UPSTREAM_MESSAGE_ID: Schema = { $ref: '#/components/schemas/UpstreamMessageId' };

/** For what the upstream platform shapes. */
export const ANY_OBJECT: Schema = { type: 'object', additionalProperties: true };

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** What the decorators of this file say about a property, beside its rules. */
export interface PropertyDocs {
  /** Prose, examples, and what is narrower than the rules because something judges it later. */
  schema: Schema;
  /** Of a property whose rules let it be absent: it is there in every answer, null where that is said. */
  isAlwaysThere: boolean;
  mayBeNull: boolean;
  /** The value, or each element of a list, is one of these. */
  alternatives: readonly (Schema | BodyClass)[];
  /** Only there to be refused. */
  isHidden: boolean;
  /** The upstream platform's own name for it, which callers may write as well. */
  alias?: string;
}

/** What the decorators of this file say about a body class. */
export interface BodyDocs {
  /** The name of its schema in the API's description. */
  name: string;
  description?: string;
  /** Made when the description is: samples often stand below the class. */
  example?: () => object;
  /** The body of a success: `success: true` stands before the declared properties (spec §1.1.4). */
  isAnswer?: boolean;
  /**
   * Of a class that is one of several kinds. The property `by` holds the kind, and the property that is named as the
   * kind holds its content.
   * @param nameOf the name of the schema of one kind
   * @param mayLack kinds whose content may be absent
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
    // Decorators run from the last to the first: what the first one says counts.
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
 * Describes a property in the API's description.
 * @param description plain text; Markdown for names
 * @param more an example, or bounds that are narrower than the rules
 */
export function Doc(description: string | undefined, more: Schema = {}): PropertyDecorator {
  return note({ schema: { ...(description !== undefined && { description }), ...more } });
}

/** An ISO 8601 time in UTC with milliseconds, as our services write it (spec §1.3.3). Any text is taken. */
export function IsTime(): PropertyDecorator {
  const { format, example } = TIME_SCHEMA;
  return all(IsString(), note({ schema: { format, example } }));
}

/** Null where there is nothing to show. Judged as optional, described as a property that is always there. */
export function OrNull(): PropertyDecorator {
  return all(IsOptional(), note({ isAlwaysThere: true, mayBeNull: true }));
}

/** A service of the version before this one does not send it: judged as optional, described as always there. */
export function AddedLater(): PropertyDecorator {
  return all(IsOptional(), note({ isAlwaysThere: true }));
}

/** An object of the class. */
export function Nested(type: () => BodyClass): PropertyDecorator {
  return all(ValidateNested(), Type(type));
}

/** A list of objects of the class. */
export function ListOf(type: () => BodyClass): PropertyDecorator {
  return all(IsArray(), ValidateNested({ each: true }), Type(type));
}

/** The value, or each element of a list, is one of these. */
export function Either(...alternatives: (Schema | BodyClass)[]): PropertyDecorator {
  return all(Allow(), note({ alternatives }));
}

/** Keeps a property that is there only to be refused out of the description. */
export function Hidden(): PropertyDecorator {
  return note({ isHidden: true });
}

/**
 * Callers may write the upstream platform's own name for the property instead. The property's name counts where both
 * stand; services know no other.
 */
export function Alias(alias: string): PropertyDecorator {
  return note({ alias });
}

/** Names and describes the schema of a body class; the name is the class's own when absent. */
export function BodySchema(docs: Partial<BodyDocs> = {}): ClassDecorator {
  return (type) => void ofBodies.set(type, { name: type.name, ...docs });
}

/** For the names of kinds: `coupon_code` gives `CouponCode`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Names and describes the body of a success. */
export function Answer(docs: Partial<BodyDocs> = {}): ClassDecorator {
  return BodySchema({ ...docs, isAnswer: true });
}

/** What `BodySchema` or `Answer` says of the class; its name alone where neither does. Nothing is inherited. */
export function bodyDocsOf(type: BodyClass): BodyDocs {
  return ofBodies.get(type) ?? { name: type.name };
}

/** What is said of a property by the class or the nearest of its parents that says something. */
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
