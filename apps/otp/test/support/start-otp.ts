import { type Broker, createBroker, prepareBroker } from '@switchboard/broker';
import {
  AppError,
  newId,
  sendCodeV1,
  type SendCodeReply,
  setOtpSettingsV1,
  verifyCodeV1,
} from '@switchboard/contracts';
import { type BuiltService, readConfig } from '@switchboard/platform';
import { asAllSenders, borrowBroker, createTestDatabase, handOnNamespace, silentLogger } from '@switchboard/testing';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { buildService } from '../../src/build-service';
import { type CodeOwner, hmacOfCode } from '../../src/codes/code-hmac';
import { settings } from '../../src/config';
import { migrations } from '../../src/migrations';
import { Peers, startPeers } from './peers';

export const PEPPER = 'a pepper of more than 32 characters';
/** Long enough for a thousand concurrent attempts on a busy machine. */
const PATIENCE_MS = 25_000;

export type Sent = SendCodeReply | AppError;

export interface RunningOtp {
  dataSource: DataSource;
  service: BuiltService;
  /** Sends commands to the service as the gateway does. */
  gateway: Broker;
  /** Fakes of the services that otp calls. */
  peers: Peers;
  /** Everything that the service logged. */
  logLines: string[];
  verify(
    owner: CodeOwner & { clientId?: string },
    otp: string,
    attemptId?: string,
  ): Promise<AppError | { verified: boolean }>;
  send(
    owner: CodeOwner,
    otp: string,
    options?: { messageId?: string; expiryMinutes?: number; timeoutMs?: number; senderId?: string },
  ): Promise<Sent>;
  newAccount(): Promise<string>;
  /** Makes the code the phone's current one. A negative expiry creates an expired code. */
  storeCode(owner: CodeOwner, code: string, options?: { expiresInSeconds?: number; pepper?: string }): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the real service on its own database and broker namespace. */
export async function startOtp(
  environment: Record<string, string> = {},
  reachDatabase = (address: string) => address,
): Promise<RunningOtp> {
  const { url, namespace } = await borrowBroker(prepareBroker);
  const gateway = asAllSenders('gateway', (service) => createBroker({ service, url, namespace, logger: silentLogger }));
  const peers = new Peers();
  const [{ url: databaseUrl, dataSource, drop }, stopPeers] = await Promise.all([
    createTestDatabase('otp', migrations),
    startPeers(peers, { url, namespace }),
    gateway.connect(),
  ]);
  const addresses = { DATABASE_URL: reachDatabase(databaseUrl), RABBITMQ_URL: url, BROKER_NAMESPACE: namespace };
  const config = readConfig(settings, { ...addresses, OTP_PEPPER: PEPPER, ...environment });
  const logLines: string[] = [];
  const service = await buildService(config, pino({ level: 'debug' }, { write: (line) => logLines.push(line) }));
  await service.listen();
  return {
    dataSource,
    service,
    gateway,
    peers,
    logLines,
    verify: (owner, otp, attemptId) =>
      gateway.request(verifyCodeV1, { ...owner, otp, attemptId }, { timeoutMs: PATIENCE_MS }).catch(onlyAppErrors),
    send: (
      { accountId, phone: to },
      otp,
      { messageId = newId('msg'), expiryMinutes, timeoutMs = PATIENCE_MS, senderId } = {},
    ) =>
      gateway
        .request(sendCodeV1, { accountId, messageId, to, otp, expiryMinutes, senderId }, { timeoutMs })
        .catch(onlyAppErrors),
    newAccount: async () => {
      const accountId = newId('acc');
      await gateway.request(setOtpSettingsV1, {
        accountId,
        template: { name: 'verification_code', language: 'en-US' },
      });
      return accountId;
    },
    storeCode: (owner, code, options) => storeCode(dataSource, owner, code, options),
    stop: async () => {
      await gateway.close();
      await service.app.close();
      await service.afterClose?.();
      await Promise.all([stopPeers(), drop()]);
      await handOnNamespace(namespace);
    },
  };
}

function onlyAppErrors(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** Stores a code as an accepted send does, replacing earlier codes. */
async function storeCode(
  dataSource: DataSource,
  owner: CodeOwner,
  code: string,
  { expiresInSeconds = 600, pepper = PEPPER } = {},
): Promise<void> {
  await dataSource.query(
    `INSERT INTO codes (account_id, phone, issued) VALUES ($1, $2, ARRAY[ROW('msg_stored', $3::bytea, now() + make_interval(secs => $4))::issued_code])
     ON CONFLICT (account_id, phone) DO UPDATE SET issued = excluded.issued`,
    [owner.accountId, owner.phone, hmacOfCode(code, owner, pepper), expiresInSeconds],
  );
}
