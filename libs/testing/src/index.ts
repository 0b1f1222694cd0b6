export * from './broker';
export * from './database';
export * from './environment';
export * from './eventually';
export * from './logger';
export * from './receiver';
export * from './tcp-proxy';
