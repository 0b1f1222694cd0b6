export * from './broker';
export * from './certificate';
export * from './collector';
export * from './database';
export * from './environment';
export * from './eventually';
export * from './first-seal';
export * from './free-port';
export * from './logger';
export * from './memory';
export * from './plan-rows';
export * from './receiver';
export * from './receiver-behaviours';
export * from './senders';
export { type HostileFile, hostileFiles } from './sheets/hostile-books';
/** Makers of spreadsheets, part by part: `workbooks.bookOf(…)`. */
export * as workbooks from './sheets/workbooks';
export { zipOf } from './sheets/zip';
export * from './tcp-proxy';
