import { AppError, verifyCodeV1, type VerifyCodeCommand } from '@switchboard/contracts';
import { deleteNamespace, eventually, TEST_ENCRYPTION_KEY, testBrokerOptions } from '@switchboard/testing';
import type { Broker } from '../src/index';
import { openRawChannel } from './support/raw-channel';
import { startProcess } from './support/service-process';
import { connectGateway } from './support/webhooks-service';

const encryptionKeys = { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
const { request } = verifyCodeV1.sample;

describe('a command request with a secret', () => {
  const options = testBrokerOptions();
  const queue = `${options.namespace}.${verifyCodeV1.name}`;
  let gateway: Broker;
  let codes: string[];
  let refusal: AppError | undefined;

  const startOtp = (keys?: typeof encryptionKeys) =>
    startProcess('otp', { ...options, encryptionKeys: keys }, (contract, body) => {
      if (contract !== verifyCodeV1) return {};
      codes.push((body as VerifyCodeCommand).otp);
      if (refusal) throw refusal;
      return { verified: true };
    });

  beforeEach(async () => {
    codes = [];
    refusal = undefined;
    gateway = await connectGateway({ ...options, encryptionKeys });
  });

  afterEach(() => gateway.close());
  afterAll(() => deleteNamespace(options.namespace));

  it('reaches its service encrypted', async () => {
    const otp = await startOtp(encryptionKeys);
    expect(await gateway.request(verifyCodeV1, request)).toEqual({ verified: true });
    refusal = new AppError('INVALID_PARAMETER');
    await expect(gateway.request(verifyCodeV1, request)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(codes).toEqual([request.otp, request.otp]);
    await otp.close();
    const raw = await openRawChannel();
    const asked = gateway.request(verifyCodeV1, request).catch(() => undefined);
    await eventually(async () => {
      const message = await raw.take(queue);
      expect(message && message.content.toString()).toMatch(/^"v2\.[\w-]+\.[\w-]+"$/);
    });
    await raw.close();
    await gateway.close();
    await asked;
  });

  it('is resent unencrypted to a process without a key', async () => {
    const otp = await startOtp();
    expect(await gateway.request(verifyCodeV1, request)).toEqual({ verified: true });
    expect(codes).toEqual([request.otp]);
    await otp.close();
  });

  it('is not resent unencrypted to a process with another key', async () => {
    const otp = await startOtp({ ENCRYPTION_KEY: Buffer.alloc(32, 11).toString('base64') });
    await expect(gateway.request(verifyCodeV1, request)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(codes).toEqual([]);
    await otp.close();
  });
});
