export * from './callback';
export * from './client';
export * from './errors';
export * from './signature';
export * from './types';
export { UpstreamError, type UpstreamErrorFields, type UpstreamErrorKind } from './upstream-error';
