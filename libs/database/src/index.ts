export * from './database.module';
export * from './message-tables';
export * from './migrate';
export * from './transactions';
