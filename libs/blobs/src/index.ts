export * from './blob-store';
export * from './blobs.module';
export * from './blob-fields';
export * from './create-blob-store';
