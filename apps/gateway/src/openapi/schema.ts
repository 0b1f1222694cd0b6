/** A JSON Schema of the dialect that OpenAPI 3.1 speaks (2020-12), as far as this API needs it. */
export interface Schema {
  $ref?: string;
  type?: SchemaType | SchemaType[];
  description?: string;
  format?: string;
  pattern?: string;
  const?: string | number | boolean;
  enum?: readonly (string | number | boolean)[];
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
type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

export const text = (description?: string, more: Schema = {}): Schema => ({
  type: 'string',
  ...(description !== undefined && { description }),
  ...more,
});
export const oneOfTexts = (values: readonly string[], description?: string): Schema =>
  text(description, { enum: values });
export const integer: Schema = { type: 'integer' };
export const flag: Schema = { type: 'boolean' };
/** ISO 8601 UTC with milliseconds (spec §1.3.3). */
export const time = text(undefined, { format: 'date-time', example: '2026-03-02T10:15:00.000Z' });
export const phone = text('Digits only, without the plus', { pattern: '^[1-9][0-9]{7,14}$', example: '919812345678' });
/** The `success` of every answer that is no error (spec §1.1.4). */
export const success: Schema = { type: 'boolean', const: true };
/** Any JSON object, for what the upstream platform shapes. */
export const anyObject: Schema = { type: 'object', additionalProperties: true };

export const list = (items: Schema): Schema => ({ type: 'array', items });
/** A reference to a schema of the API; the name must be one of `schemas.ts`. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** The schema or null; what is only referred to is wrapped, and so are listed values, as null is none of them. */
export const orNull = (schema: Schema): Schema =>
  schema.type === undefined || schema.enum
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, type: [schema.type, 'null'].flat() as SchemaType[] };

/**
 * An object of which every property is always there, unless named as optional. More properties may be added to the API
 * at any time.
 */
export function object(
  properties: Record<string, Schema>,
  { optional = [], description, example }: { optional?: string[]; description?: string; example?: unknown } = {},
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    ...(required.length > 0 && { required }),
    ...(example !== undefined && { example }),
  };
}
