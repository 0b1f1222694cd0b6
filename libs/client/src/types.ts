import type { components, operations, ROUTES, webhooks } from './api';
import type { Upload } from './upload';

/** Schemas of requests, responses and events, by name in the API description. */
export type Schemas = components['schemas'];
export type ErrorCode = Schemas['Error']['code'];
export type ErrorDetail = NonNullable<Schemas['Error']['details']>[number];

/** Webhook payload, discriminated by `event`. */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** Operation IDs of the API. */
export type OperationId = keyof typeof ROUTES;

type Get<T, Key extends string> = T extends { [K in Key]: infer Value }
  ? Value
  : T extends { [K in Key]?: infer Value }
    ? NonNullable<Value>
    : never;
type Params<Id extends OperationId, Where extends 'path' | 'query'> =
  Get<operations[Id]['parameters'], Where> extends infer P ? ([P] extends [never] ? object : P) : object;
type RequestBody<Id extends OperationId> = NonNullable<operations[Id]['requestBody']>;
type Content<Id extends OperationId> = [RequestBody<Id>] extends [never]
  ? object
  : RequestBody<Id> extends { content: infer C }
    ? C
    : object;
type JsonBody<Id extends OperationId> = Content<Id> extends { 'application/json': infer Body } ? Body : never;
type UploadBody<Id extends OperationId> =
  Content<Id> extends { 'multipart/form-data': infer Body } ? WithUploads<Body> : never;
/** Replaces the binary fields of the API description with `Upload`. */
type WithUploads<Body> = { [Field in keyof Body]: Field extends 'file' | 'customerExcel' ? Upload : Body[Field] };
type Body<Id extends OperationId> = [JsonBody<Id> | UploadBody<Id>] extends [never]
  ? object
  : JsonBody<Id> | UploadBody<Id>;

/** Input of an operation: path parameters, query parameters and body fields in one object. */
export type Input<Id extends OperationId> = Params<Id, 'path'> & Params<Id, 'query'> & Body<Id>;

type Responses<Id extends OperationId> = operations[Id]['responses'];
/** Successful response. If an operation returns 201 and 200, this is the 201; the 200 belongs to dry runs. */
type Success<Id extends OperationId> = Responses<Id>[keyof Responses<Id> &
  (201 extends keyof Responses<Id> ? 201 : 200)];
type JsonOf<Response, Otherwise> = Response extends { content: { 'application/json': infer Body } } ? Body : Otherwise;
/** Result of a successful operation: the JSON body, or the `Response` itself if it is not JSON. */
export type Answer<Id extends OperationId> = JsonOf<Success<Id>, Response>;
/** Result of an operation with `dryRun: true`; never for an operation without dry runs. */
export type DryRunAnswer<Id extends OperationId> =
  Input<Id> extends { dryRun?: unknown } ? JsonOf<Responses<Id>[keyof Responses<Id> & 200], never> : never;

/** IDs of the operations that return a page of a list. */
export type ListOperationId = {
  [Id in OperationId]: Answer<Id> extends { pagination: object } ? Id : never;
}[OperationId];
/** Item type of a list operation. */
export type ItemOf<Id extends ListOperationId> = {
  [Key in Exclude<keyof Answer<Id>, 'warnings'>]: Answer<Id>[Key] extends (infer Item)[] ? Item : never;
}[Exclude<keyof Answer<Id>, 'warnings'>];
