import { CreateCodes1763700000000 } from './1763700000000-create-codes';
import { AddSending1763900000020 } from './1763900000020-add-sending';
import { MergePhoneSpellings1763900030000 } from './1763900030000-merge-phone-spellings';

/** In the order in which they run. */
export const migrations = [CreateCodes1763700000000, AddSending1763900000020, MergePhoneSpellings1763900030000] as const;
