import { CreateGateway1763700000000 } from './1763700000000-create-gateway';

export const migrations = [CreateGateway1763700000000];
