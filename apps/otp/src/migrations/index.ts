import { CreateCodes1763700000000 } from './1763700000000-create-codes';
import { AddSending1763900000020 } from './1763900000020-add-sending';
import { MergePhoneSpellings1763900030000 } from './1763900030000-merge-phone-spellings';
import { RememberVerifiedCodes1763960000400 } from './1763960000400-remember-verified-codes';
import { NoteUndeliveredCodes1763970000020 } from './1763970000020-note-undelivered-codes';
import { KeepPublishedMessages1764100000830 } from './1764100000830-keep-published-messages';

/** In the order in which they run. */
export const migrations = [
  CreateCodes1763700000000,
  AddSending1763900000020,
  MergePhoneSpellings1763900030000,
  RememberVerifiedCodes1763960000400,
  NoteUndeliveredCodes1763970000020,
  KeepPublishedMessages1764100000830,
] as const;
