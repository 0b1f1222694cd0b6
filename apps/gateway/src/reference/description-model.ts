/** Parts of the API description (OpenAPI 3.1) that the reference shows. */
export interface SchemaNode {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  contentMediaType?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  deprecated?: boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  additionalProperties?: boolean | SchemaNode;
  oneOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  allOf?: SchemaNode[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

export interface ParameterNode {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: SchemaNode;
}

export interface MediaNode {
  schema?: SchemaNode;
  examples?: Record<string, { $ref?: string; summary?: string; value?: unknown }>;
}

export interface ResponseNode {
  description: string;
  content?: Record<string, MediaNode>;
}

export interface OperationNode {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: ParameterNode[];
  requestBody?: { content: Record<string, MediaNode> };
  responses: Record<string, ResponseNode>;
}

export interface DescriptionNode {
  info: { title: string; description?: string };
  tags: { name: string; description: string }[];
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationNode>>;
  webhooks: Record<string, { post: OperationNode }>;
  components: {
    schemas: Record<string, SchemaNode>;
    parameters: Record<string, ParameterNode>;
    examples: Record<string, { summary: string; value: unknown }>;
  };
}

/** Operation with its method and path. */
export interface PlacedOperation extends OperationNode {
  method: string;
  path: string;
}

/** Returns all operations in the order of the description. */
export function operationsOf({ paths }: DescriptionNode): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** Returns the name that a reference points to. */
export function referredName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Returns the operation's own parameters and those it refers to. */
export function parametersOf(operation: OperationNode, { components }: DescriptionNode): ParameterNode[] {
  return (operation.parameters ?? []).map((parameter) =>
    parameter.$ref === undefined ? parameter : (components.parameters[referredName(parameter.$ref)] ?? parameter),
  );
}

/** Returns the responses with the usual one first: 201 of an operation that creates something, else 200. */
export function responsesOf({ responses }: OperationNode): [string, ResponseNode][] {
  return Object.entries(responses).sort(([one], [other]) => Number(other === '201') - Number(one === '201'));
}
