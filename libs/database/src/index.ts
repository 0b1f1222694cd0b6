export * from './database.module';
export * from './database-errors';
export * from './message-tables';
export * from './migrate';
export * from './outcome';
export { PooledDataSource, poolFields, poolSizes, type PoolSizes } from './pools';
export * from './prepared';
export * from './sealed-columns';
export * from './transactions';
