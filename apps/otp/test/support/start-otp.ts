import { createBroker } from '@switchboard/broker';
import { AppError, verifyCodeV1 } from '@switchboard/contracts';
import { readConfig } from '@switchboard/platform';
import { createTestDatabase, deleteNamespace, silentLogger, testBrokerOptions } from '@switchboard/testing';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { buildService } from '../../src/build-service';
import { type CodeOwner, hmacOfCode } from '../../src/codes/code-hmac';
import { settings } from '../../src/config';
import { migrations } from '../../src/migrations';

const PEPPER = 'a pepper of more than 32 characters';
/** A thousand tries at once may take a busy machine a while. */
const PATIENCE_MS = 25_000;

export interface RunningOtp {
  dataSource: DataSource;
  /** All that the service logged. */
  logLines: string[];
  /** What the gateway is answered for one try. */
  verify(owner: CodeOwner, otp: string): Promise<AppError | { verified: boolean }>;
  /** Makes the code the phone's current one. A negative expiry is a code that has expired. */
  storeCode(owner: CodeOwner, code: string, options?: { expiresInSeconds?: number }): Promise<void>;
  stop(): Promise<void>;
}

/** The real service on a database and broker namespace of its own. */
export async function startOtp(): Promise<RunningOtp> {
  const { url, namespace } = testBrokerOptions();
  const { url: databaseUrl, dataSource, drop } = await createTestDatabase('otp', migrations);
  const config = readConfig(settings, { DATABASE_URL: databaseUrl, RABBITMQ_URL: url, BROKER_NAMESPACE: namespace, OTP_PEPPER: PEPPER });
  const logLines: string[] = [];
  const service = await buildService(config, pino({ level: 'debug' }, { write: (line) => logLines.push(line) }));
  await service.listen();
  const gateway = createBroker({ service: 'gateway', url, namespace, logger: silentLogger });
  await gateway.connect();
  return {
    dataSource,
    logLines,
    verify: (owner, otp) => gateway.ask(verifyCodeV1, { ...owner, otp }, { timeoutMs: PATIENCE_MS }).catch(onlyAppErrors),
    storeCode: (owner, code, options) => storeCode(dataSource, owner, code, options),
    stop: async () => {
      await gateway.close();
      await service.app.close();
      await service.afterClose?.();
      await drop();
      await deleteNamespace(namespace);
    },
  };
}

function onlyAppErrors(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** A resend replaces the code and nothing else. */
async function storeCode(dataSource: DataSource, owner: CodeOwner, code: string, { expiresInSeconds = 600 } = {}): Promise<void> {
  await dataSource.query(
    `INSERT INTO codes (account_id, phone, code_hmac, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))
     ON CONFLICT (account_id, phone) DO UPDATE SET code_hmac = excluded.code_hmac, expires_at = excluded.expires_at, spent_at = NULL`,
    [owner.accountId, owner.phone, hmacOfCode(code, owner, PEPPER), expiresInSeconds],
  );
}
