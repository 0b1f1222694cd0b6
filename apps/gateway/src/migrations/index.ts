import { CreateGateway1764300000200 } from './1764300000200-create-gateway';
import { AddTimeZone1764300000250 } from './1764300000250-add-time-zone';

/** Migrations in the order in which they run. */
export const migrations = [CreateGateway1764300000200, AddTimeZone1764300000250] as const;
