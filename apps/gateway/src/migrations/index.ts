import { CreateGateway1764300000200 } from './1764300000200-create-gateway';

/** Migrations in the order in which they run. */
export const migrations = [CreateGateway1764300000200] as const;
