export * from './database.module';
export * from './database-errors';
export * from './message-tables';
export * from './migrate';
export * from './outcome';
export * from './prepared';
export * from './sealed-columns';
export * from './transactions';
