import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PLANS = `
  CREATE TABLE plans (
    name text PRIMARY KEY,
    features text[] NOT NULL DEFAULT '{}',
    bulk_recipients int NOT NULL DEFAULT 0 CHECK (bulk_recipients >= 0),
    excel_rows int NOT NULL DEFAULT 0 CHECK (excel_rows BETWEEN 0 AND 100000),
    rate_limit int NOT NULL CHECK (rate_limit > 0),
    rate_window_seconds int NOT NULL CHECK (rate_window_seconds > 0),
    monthly_credits int NOT NULL DEFAULT 0 CHECK (monthly_credits >= 0),
    -- NULL: equal to rate_limit.
    rate_burst int CHECK (rate_burst > 0)
  );
  INSERT INTO plans (name, features, bulk_recipients, excel_rows, rate_limit, rate_window_seconds, monthly_credits) VALUES
    ('starter', '{}', 0, 0, 60, 60, 0),
    ('growth', '{BULK_MSG_LIMIT,BULK_EXCEL,MEDIA,THIRD_PARTY_API}', 1000, 10000, 600, 60, 1000),
    ('scale', '{BULK_MSG_LIMIT,BULK_EXCEL,MEDIA,THIRD_PARTY_API}', 10000, 100000, 6000, 60, 10000);`;

const ACCOUNTS = `
  CREATE TABLE accounts (
    id text PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL REFERENCES plans (name),
    created_at timestamptz NOT NULL DEFAULT now(),
    suspended_at timestamptz,
    suspended_reason text
  );

  CREATE TABLE plan_overrides (
    account_id text PRIMARY KEY REFERENCES accounts (id),
    added_features text[] NOT NULL DEFAULT '{}',
    removed_features text[] NOT NULL DEFAULT '{}',
    bulk_recipients int CHECK (bulk_recipients >= 0),
    excel_rows int CHECK (excel_rows BETWEEN 0 AND 100000),
    rate_limit int CHECK (rate_limit > 0),
    rate_window_seconds int CHECK (rate_window_seconds > 0),
    rate_burst int CHECK (rate_burst > 0),
    monthly_credits int CHECK (monthly_credits >= 0),
    updated_at timestamptz NOT NULL DEFAULT now()
  );

  -- The account's plan plus its overrides.
  CREATE VIEW effective_plans AS
    SELECT a.id AS account_id, p.name,
      ARRAY(
        SELECT f.feature FROM unnest(p.features || coalesce(o.added_features, '{}')) WITH ORDINALITY AS f (feature, position)
        WHERE f.feature <> ALL (coalesce(o.removed_features, '{}')) GROUP BY f.feature ORDER BY min(f.position)
      ) AS features,
      coalesce(o.bulk_recipients, p.bulk_recipients) AS bulk_recipients,
      coalesce(o.excel_rows, p.excel_rows) AS excel_rows,
      coalesce(o.rate_limit, p.rate_limit) AS rate_limit,
      coalesce(o.rate_window_seconds, p.rate_window_seconds) AS rate_window_seconds,
      coalesce(o.rate_burst, p.rate_burst, o.rate_limit, p.rate_limit) AS rate_burst,
      coalesce(o.monthly_credits, p.monthly_credits) AS monthly_credits
    FROM accounts a JOIN plans p ON p.name = a.plan LEFT JOIN plan_overrides o ON o.account_id = a.id;`;

const API_KEYS = `
  CREATE TABLE api_keys (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts (id),
    name text NOT NULL,
    sha256 bytea NOT NULL UNIQUE,
    prefix text NOT NULL,
    last_four text NOT NULL,
    allowed_ips text[] NOT NULL DEFAULT '{}',
    allowed_routes text[] NOT NULL DEFAULT '{}',
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Shared by a key and its replacements, which have one rate limit and one set of Idempotency-Keys. NULL: the key's id.
    client_id text
  );
  CREATE INDEX api_keys_account ON api_keys (account_id, created_at);

  CREATE TABLE idempotency (
    client_id text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    seed bytea NOT NULL,
    seeded_at timestamptz NOT NULL DEFAULT now(),
    owner text,
    leased_until timestamptz,
    status int,
    body text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (client_id, route, key),
    CHECK ((status IS NULL) = (body IS NULL))
  );
  CREATE INDEX idempotency_created ON idempotency (created_at);
  CREATE INDEX idempotency_running ON idempotency (owner) WHERE owner IS NOT NULL;
  -- Fingerprints that were made without a key: a search for them costs nothing once there are none.
  CREATE INDEX idempotency_unkeyed ON idempotency (client_id) WHERE octet_length(fingerprint) = 32;`;

const CREDITS = `
  CREATE TABLE credit_balances (
    account_id text NOT NULL REFERENCES accounts (id),
    category text NOT NULL CHECK (category IN ('utility')),
    balance bigint NOT NULL CHECK (balance >= 0),
    PRIMARY KEY (account_id, category)
  );

  CREATE TABLE credit_reservations (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts (id),
    category text NOT NULL,
    amount int NOT NULL CHECK (amount > 0),
    -- 'returned': spent on a message that failed. The row stays, so that a late settlement charges nothing again.
    state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'settled', 'refunded', 'expired', 'returned')),
    held_until timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
  );
  CREATE INDEX credit_reservations_held ON credit_reservations (held_until) WHERE state = 'held';
  CREATE INDEX credit_reservations_ended ON credit_reservations (ended_at) WHERE ended_at IS NOT NULL;

  CREATE TABLE credit_ledger (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts (id),
    category text NOT NULL CHECK (category IN ('utility')),
    amount bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('grant', 'top_up', 'reserve', 'settle', 'refund')),
    reason text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    reservation_id text,
    grant_month date
  );
  CREATE INDEX credit_ledger_account ON credit_ledger (account_id, category, id);
  -- One grant per month.
  CREATE UNIQUE INDEX credit_ledger_monthly ON credit_ledger (account_id, category, grant_month) WHERE grant_month IS NOT NULL;
  CREATE INDEX credit_ledger_newest ON credit_ledger (account_id, created_at, id);
  CREATE INDEX credit_ledger_of_kind ON credit_ledger (account_id, kind, created_at, id);

  -- The ledger is append-only: a correction is another row.
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;
  CREATE TRIGGER credit_ledger_append_only BEFORE UPDATE OR DELETE ON credit_ledger
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

  -- Credits granted, reserved, settled and refunded per day (UTC).
  CREATE TABLE credit_days (
    account_id text NOT NULL REFERENCES accounts (id),
    category text NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (account_id, category, day, kind)
  );
  CREATE FUNCTION count_credits() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
   BEGIN
     INSERT INTO credit_days AS known (account_id, category, day, kind, amount)
     VALUES (NEW.account_id, NEW.category, (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.kind, NEW.amount)
     ON CONFLICT (account_id, category, day, kind) DO UPDATE SET amount = known.amount + EXCLUDED.amount;
     RETURN NULL;
   END $$;
  -- Deferred: at its end a transaction already holds the account's balance, so none waits for a day while it holds another.
  CREATE CONSTRAINT TRIGGER credits_counted AFTER INSERT ON credit_ledger DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.amount <> 0) EXECUTE FUNCTION count_credits();`;

const USERS = `
  CREATE TABLE users (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts (id),
    email text NOT NULL CHECK (email = lower(email)),
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
    password_hash text NOT NULL,
    disabled_at timestamptz,
    last_sign_in_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  -- A sign-in names no account, so an address belongs to one user.
  CREATE UNIQUE INDEX users_email ON users (email);
  CREATE INDEX users_account ON users (account_id, created_at);

  CREATE TABLE sessions (
    id text PRIMARY KEY,
    token_sha256 bytea NOT NULL UNIQUE,
    account_id text NOT NULL REFERENCES accounts (id),
    user_id text NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    address text,
    user_agent text
  );
  CREATE INDEX sessions_user ON sessions (user_id);
  CREATE INDEX sessions_expiry ON sessions (expires_at);

  -- Subjects are hashed: a user may type a password into the field of the address.
  CREATE TABLE sign_in_attempts (
    subject bytea PRIMARY KEY,
    attempts int NOT NULL,
    ends_at timestamptz NOT NULL
  );
  CREATE INDEX sign_in_attempts_end ON sign_in_attempts (ends_at);

  -- Required at sign-in once confirmed.
  CREATE TABLE second_factors (
    user_id text PRIMARY KEY REFERENCES users (id),
    account_id text NOT NULL REFERENCES accounts (id),
    sealed_secret text NOT NULL,
    confirmed_at timestamptz,
    last_step bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE recovery_codes (
    user_id text NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
    account_id text NOT NULL REFERENCES accounts (id),
    code_hmac bytea NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (user_id, code_hmac)
  );
  -- Sign-ins that still lack the second factor.
  CREATE TABLE half_sessions (
    token_sha256 bytea PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts (id),
    user_id text NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX half_sessions_user ON half_sessions (user_id);
  CREATE INDEX half_sessions_expiry ON half_sessions (expires_at);

  CREATE TABLE invitations (
    id text PRIMARY KEY,
    token_sha256 bytea NOT NULL UNIQUE,
    account_id text NOT NULL REFERENCES accounts (id),
    email text NOT NULL CHECK (email = lower(email)),
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
    invited_by text NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
  );
  -- A new invitation to an address replaces the previous one.
  CREATE UNIQUE INDEX invitations_email ON invitations (account_id, email);
  CREATE INDEX invitations_inviter ON invitations (invited_by);
  CREATE INDEX invitations_expiry ON invitations (expires_at);

  CREATE TABLE password_resets (
    user_id text PRIMARY KEY REFERENCES users (id),
    account_id text NOT NULL REFERENCES accounts (id),
    token_sha256 bytea NOT NULL UNIQUE,
    created_by text NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX password_resets_creator ON password_resets (created_by);
  CREATE INDEX password_resets_expiry ON password_resets (expires_at);`;

const AUDIT_LOG = `
  CREATE TABLE audit_log (
    id text PRIMARY KEY,
    actor text NOT NULL,
    action text NOT NULL,
    account_id text,
    target text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    -- NULL in entries from before outcomes were recorded.
    outcome text CHECK (outcome IN ('done', 'refused', 'unknown')),
    error_code text
  );
  CREATE INDEX audit_log_account ON audit_log (account_id, created_at);
  -- The order of the list: byte by byte.
  CREATE INDEX audit_log_newest ON audit_log (account_id, id COLLATE "C");`;

const ERASURES = `
  -- Contacts whose data is being erased, until it is done.
  CREATE TABLE erasures (
    account_id text NOT NULL REFERENCES accounts (id),
    phone text NOT NULL,
    names text[] NOT NULL,
    after_callback text NOT NULL DEFAULT '',
    begun_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, phone)
  );
  CREATE INDEX erasures_begun ON erasures (begun_at);`;

const MESSAGES = `
  CREATE TABLE callback_inbox (
    id text PRIMARY KEY,
    body bytea NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX callback_inbox_received ON callback_inbox (received_at);

  -- Sends that were answered with 504, until the messaging service has a row for each.
  CREATE TABLE open_sends (
    message_id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts (id),
    command jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX open_sends_created ON open_sends (created_at);`;

export class CreateGateway1764300000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [PLANS, ACCOUNTS, API_KEYS, CREDITS, USERS, AUDIT_LOG, ERASURES, MESSAGES])
      await runner.query(sql);
    for (const sql of createMessageTables) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
