import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

export interface NewEndpoint {
  id: string;
  accountId: string;
  url: string;
  sealedVerifyToken: string;
  sealedSecret: string;
  /** The command that sets it; when it comes a second time, the first secret stands. */
  setBy: string;
}

export interface SavedEndpoint {
  id: string;
  url: string;
  sealedSecret: string;
}

const SAVE_ENDPOINT = `
  INSERT INTO endpoints AS e (id, account_id, url, sealed_verify_token, sealed_secret, set_by)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id) DO UPDATE SET
    url = excluded.url,
    sealed_verify_token = excluded.sealed_verify_token,
    sealed_secret = CASE WHEN e.set_by = excluded.set_by THEN e.sealed_secret ELSE excluded.sealed_secret END,
    set_by = excluded.set_by,
    enabled = true,
    updated_at = now()
  RETURNING id, url, sealed_secret AS "sealedSecret"`;

/** Makes this the account's endpoint; an earlier one keeps its id and its waiting deliveries go to the new URL. */
export async function saveEndpoint(db: DataSource, endpoint: NewEndpoint): Promise<SavedEndpoint> {
  const { id, accountId, url, sealedVerifyToken, sealedSecret, setBy } = endpoint;
  const [saved] = await query<SavedEndpoint>(db, SAVE_ENDPOINT, [id, accountId, url, sealedVerifyToken, sealedSecret, setBy]);
  if (!saved) throw new Error('an upsert gave no row');
  return saved;
}
