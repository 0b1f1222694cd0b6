import { CreateGateway1764300000200 } from './1764300000200-create-gateway';
import { AddTimeZone1764300000250 } from './1764300000250-add-time-zone';
import { AllowAgents1764300000260 } from './1764300000260-allow-agents';
import { AllowInvitedAgents1764300000261 } from './1764300000261-allow-invited-agents';

/** Migrations in the order in which they run. */
export const migrations = [
  CreateGateway1764300000200,
  AddTimeZone1764300000250,
  AllowAgents1764300000260,
  AllowInvitedAgents1764300000261,
] as const;
