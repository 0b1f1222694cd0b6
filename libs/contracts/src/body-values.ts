import type { BodyClass } from './message-contract';

/**
 * Returns the class of a nested value. Receives the object that contains the value, or an empty object when the API
 * description is built.
 */
export type TypeOf = (holder: object) => BodyClass;
/** Converts a received value before validation. */
export type TransformValue = (value: unknown) => unknown;

const types = new WeakMap<object, Map<string | symbol, TypeOf>>();
const transforms = new WeakMap<object, Map<string | symbol, TransformValue>>();

/** Declares the class of a nested object or of each list element. Use together with `@ValidateNested`. */
export function Type(typeOf: TypeOf): PropertyDecorator {
  return declare(types, typeOf);
}

/** Converts the received value before validation. */
export function Transform(transform: TransformValue): PropertyDecorator {
  return declare(transforms, transform);
}

/** Returns the class declared for a property by the body class or its nearest parent. */
export function typeOfProperty(type: BodyClass, name: string): TypeOf | undefined {
  return find(types, type, name);
}

/** Returns the conversion declared for a property by the body class or its nearest parent. */
export function transformOfProperty(type: BodyClass, name: string): TransformValue | undefined {
  return find(transforms, type, name);
}

type Declarations<Value> = WeakMap<object, Map<string | symbol, Value>>;

function declare<Value>(declarations: Declarations<Value>, value: Value): PropertyDecorator {
  return (prototype, name) => {
    const own = declarations.get(prototype.constructor) ?? new Map<string | symbol, Value>();
    declarations.set(prototype.constructor, own.set(name, value));
  };
}

function find<Value>(declarations: Declarations<Value>, type: BodyClass, name: string): Value | undefined {
  for (let one: unknown = type; typeof one === 'function'; one = Object.getPrototypeOf(one)) {
    const value = declarations.get(one)?.get(name);
    if (value) return value;
  }
  return undefined;
}
