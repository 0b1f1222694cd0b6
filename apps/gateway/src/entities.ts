import { messageEntities } from '@switchboard/database';
import { HalfSession } from './users/half-session.entity';
import { Invitation } from './users/invitation.entity';
import { PasswordReset } from './users/password-reset.entity';
import { Session } from './users/session.entity';
import { SignInAttemptCount } from './sessions/sign-in-attempt-count.entity';
import { Account } from './accounts/account.entity';
import { ApiKey } from './api-keys/api-key.entity';
import { AuditLogEntry } from './audit-log/audit-log-entry.entity';
import { CreditBalance } from './accounts/credit-balance.entity';
import { CreditDayTotal } from './accounts/credit-day-total.entity';
import { CreditLedgerEntry } from './accounts/credit-ledger-entry.entity';
import { CreditReservation } from './accounts/credit-reservation.entity';
import { EffectivePlan } from './accounts/effective-plan.entity';
import { PlanEntity } from './accounts/plan.entity';
import { PlanOverrides } from './accounts/plan-overrides.entity';
import { StoredCallback } from './callbacks/stored-callback.entity';
import { OpenErasure } from './contacts/open-erasure.entity';
import { IdempotencyRecord } from './idempotency/idempotency-record.entity';
import { OpenSend } from './messages/open-send.entity';
import { RecoveryCode } from './users/recovery-code.entity';
import { SecondFactor } from './users/second-factor.entity';
import { SavedReply } from './saved-replies/saved-reply.entity';
import { User } from './users/user.entity';

/** Entities of all tables and views in the gateway's schema. */
export const entities = [
  ...messageEntities,
  Account,
  ApiKey,
  AuditLogEntry,
  CreditBalance,
  CreditDayTotal,
  CreditLedgerEntry,
  CreditReservation,
  EffectivePlan,
  HalfSession,
  IdempotencyRecord,
  Invitation,
  OpenErasure,
  OpenSend,
  PasswordReset,
  PlanEntity,
  PlanOverrides,
  RecoveryCode,
  SavedReply,
  SecondFactor,
  Session,
  SignInAttemptCount,
  StoredCallback,
  User,
];
