/** The library keeps what `@Type` and `@Transform` said here, and types the file under another path. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage';
}
