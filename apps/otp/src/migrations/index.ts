import { CreateCodes1763700000000 } from './1763700000000-create-codes';
import { AddSending1763900000020 } from './1763900000020-add-sending';

/** In the order in which they run. */
export const migrations = [CreateCodes1763700000000, AddSending1763900000020] as const;
