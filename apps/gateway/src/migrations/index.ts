import { CreateGateway1763700000000 } from './1763700000000-create-gateway';
import { AddPlanOverrides1763810000000 } from './1763810000000-add-plan-overrides';
import { AddIdempotency1763810000001 } from './1763810000001-add-idempotency';
import { AddCreditReservations1763810000002 } from './1763810000002-add-credit-reservations';
import { AddUsers1763820000000 } from './1763820000000-add-users';
import { AddSuspension1763900000020 } from './1763900000020-add-suspension';
import { IndexUnkeyedFingerprints1763920000320 } from './1763920000320-index-unkeyed-fingerprints';
import { AddAuditOutcomes1763920000380 } from './1763920000380-add-audit-outcomes';
import { IndexAuditLog1763950000350 } from './1763950000350-index-audit-log';
import { AddSecondFactors1763950000360 } from './1763950000360-add-second-factors';
import { AllowReturnedCredits1763970000010 } from './1763970000010-allow-returned-credits';
import { AddInvitations1763980000190 } from './1763980000190-add-invitations';
import { CountCreditsByDay1763990000100 } from './1763990000100-count-credits-by-day';
import { CountEarlierCredits1763990000110 } from './1763990000110-count-earlier-credits';
import { IndexCreditLedger1763990000120 } from './1763990000120-index-credit-ledger';
import { AddErasures1763990000200 } from './1763990000200-add-erasures';
import { KeepPublishedMessages1764100000800 } from './1764100000800-keep-published-messages';
import { NameAuditActions1764100000900 } from './1764100000900-name-audit-actions';
import { CreateOpenSends1764300000200 } from './1764300000200-create-open-sends';

export const migrations = [
  CreateGateway1763700000000,
  AddPlanOverrides1763810000000,
  AddIdempotency1763810000001,
  AddCreditReservations1763810000002,
  AddUsers1763820000000,
  AddSuspension1763900000020,
  IndexUnkeyedFingerprints1763920000320,
  AddAuditOutcomes1763920000380,
  IndexAuditLog1763950000350,
  AddSecondFactors1763950000360,
  AllowReturnedCredits1763970000010,
  AddInvitations1763980000190,
  CountCreditsByDay1763990000100,
  CountEarlierCredits1763990000110,
  IndexCreditLedger1763990000120,
  AddErasures1763990000200,
  KeepPublishedMessages1764100000800,
  NameAuditActions1764100000900,
  CreateOpenSends1764300000200,
];
