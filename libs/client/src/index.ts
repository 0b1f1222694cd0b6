export { type CallOptions, type ClientOptions, createClient, type SwitchboardClient } from './client';
export { ApiError, ConnectionError } from './errors';
export type {
  Answer,
  DryRunAnswer,
  ErrorCode,
  ErrorDetail,
  Input,
  ItemOf,
  ListOperationId,
  OperationId,
  Schemas,
  WebhookEvent,
} from './types';
export type { FileContent, NamedUpload, Upload } from './upload';
export { type VerifyOptions, verifyWebhook, WebhookVerificationError } from './webhooks';
