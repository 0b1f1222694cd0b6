import { CreateGateway1764300000200 } from './1764300000200-create-gateway';
import { AllowAgents1764300000230 } from './1764300000230-allow-agents';
import { AllowInvitedAgents1764300000231 } from './1764300000231-allow-invited-agents';
import { AddTimeZone1764300000250 } from './1764300000250-add-time-zone';
import { CreateSavedReplies1764300000270 } from './1764300000270-create-saved-replies';

/** Migrations in the order in which they run. */
export const migrations = [
  CreateGateway1764300000200,
  AllowAgents1764300000230,
  AllowInvitedAgents1764300000231,
  AddTimeZone1764300000250,
  CreateSavedReplies1764300000270,
] as const;
