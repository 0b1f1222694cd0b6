import type { components, operations, ROUTES } from './api';
import type { Upload } from './upload';

/** The bodies of requests, answers and events, by their names in the API's description. */
export type Schemas = components['schemas'];
export type ErrorCode = Schemas['Error']['code'];
export type ErrorDetail = NonNullable<Schemas['Error']['details']>[number];

/** What a webhook delivers; `event` tells which. */
export type WebhookEvent =
  | Schemas['MessageEvent']
  | Schemas['MessageStatusEvent']
  | Schemas['TemplateStatusEvent']
  | Schemas['PhoneNumberQualityEvent']
  | Schemas['JobCompletedEvent']
  | Schemas['JobPausedEvent']
  | Schemas['JobFailedEvent']
  | Schemas['MessageEditedEvent']
  | Schemas['MessageDeletedEvent']
  | Schemas['ContactChangedEvent']
  | Schemas['CallEvent']
  | Schemas['AccountNoticeEvent']
  | Schemas['MessageHeldEvent'];

/** The names of the API's operations. */
export type OperationId = keyof typeof ROUTES;

type Get<T, Key extends string> = T extends { [K in Key]: infer Value }
  ? Value
  : T extends { [K in Key]?: infer Value }
    ? NonNullable<Value>
    : never;
type Params<Id extends OperationId, Where extends 'path' | 'query'> =
  Get<operations[Id]['parameters'], Where> extends infer P ? ([P] extends [never] ? object : P) : object;
type Content<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer C } } ? C : object;
type JsonBody<Id extends OperationId> = Content<Id> extends { 'application/json': infer Body } ? Body : never;
type UploadBody<Id extends OperationId> =
  Content<Id> extends { 'multipart/form-data': infer Body } ? WithUploads<Body> : never;
/** Whatever the description calls binary is an upload. */
type WithUploads<Body> = { [Field in keyof Body]: Field extends 'file' | 'customerExcel' ? Upload : Body[Field] };
type Body<Id extends OperationId> = [JsonBody<Id> | UploadBody<Id>] extends [never]
  ? object
  : JsonBody<Id> | UploadBody<Id>;

/** What an operation takes: the parameters of its path and query, and the fields of its body, in one object. */
export type Input<Id extends OperationId> = Params<Id, 'path'> & Params<Id, 'query'> & Body<Id>;

type Success<Id extends OperationId> = operations[Id]['responses'] extends infer Responses
  ? Responses[keyof Responses & (200 | 201)]
  : never;
/** What an operation answers with when it succeeds; the response itself where that is no JSON. */
export type Answer<Id extends OperationId> =
  Success<Id> extends { content: { 'application/json': infer Body } } ? Body : Response;

/** The operations that answer with a page of a list. */
export type ListOperationId = {
  [Id in OperationId]: Answer<Id> extends { pagination: object } ? Id : never;
}[OperationId];
/** What the list of an operation holds. */
export type ItemOf<Id extends ListOperationId> = {
  [Key in Exclude<keyof Answer<Id>, 'warnings'>]: Answer<Id>[Key] extends (infer Item)[] ? Item : never;
}[Exclude<keyof Answer<Id>, 'warnings'>];
