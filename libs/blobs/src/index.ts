export * from './blob-store';
export * from './blob-fields';
export * from './create-blob-store';
