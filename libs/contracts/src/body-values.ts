import type { BodyClass } from './message-contract';

/** Returns the class of a nested value, given the object that holds it: an empty one for the API's description. */
export type TypeOf = (holder: object) => BodyClass;
/** Returns the value that takes the place of a given one, before any rule checks it. */
export type TransformValue = (value: unknown) => unknown;

const types = new WeakMap<object, Map<string | symbol, TypeOf>>();
const transforms = new WeakMap<object, Map<string | symbol, TransformValue>>();

/** Declares the class of a nested object, or of each one in a list. Belongs beside `@ValidateNested`. */
export function Type(typeOf: TypeOf): PropertyDecorator {
  return declare(types, typeOf);
}

/** Replaces the given value before any rule checks it. */
export function Transform(transform: TransformValue): PropertyDecorator {
  return declare(transforms, transform);
}

/** Returns the value that the class or its nearest parent declares. */
export function typeOfProperty(type: BodyClass, name: string): TypeOf | undefined {
  return find(types, type, name);
}

/** Returns the value that the class or its nearest parent declares. */
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
