export * from './config';
export * from './logging';
export * from './loop';
export * from './management';
export * from './metrics';
export * from './secret-box';
export * from './service';
export * from './tracing';
