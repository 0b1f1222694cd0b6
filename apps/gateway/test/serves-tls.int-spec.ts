import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createTestCertificate, type TestCertificate } from '@switchboard/testing';
import { type GatewayUnderTest, startGateway } from './support/gateway';

describe("gateway with the operator's certificate", () => {
  let certificate: TestCertificate;
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    certificate = await createTestCertificate();
    gateway = await startGateway({
      settings: { TLS_CERT_FILE: certificate.certFile, TLS_KEY_FILE: certificate.keyFile, REQUIRE_HTTPS: true },
    });
  }, 60_000);
  afterAll(async () => {
    await gateway.close();
    await certificate.remove();
  });

  it('serves TLS and treats its connections as HTTPS', async () => {
    const { apiKey } = await gateway.customer();
    const { port } = new URL(gateway.url);
    const ca = await readFile(certificate.caFile);
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      // No proxy is trusted, so the forwarded protocol has no effect.
      const headers = { authorization: `Bearer ${apiKey}`, 'x-forwarded-proto': 'http' };
      request({ host: '127.0.0.1', port, path: '/v1/me', ca, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      })
        .on('error', reject)
        .end();
    });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([200, { success: true }]);
    await expect(fetch(`http://127.0.0.1:${port}/v1/me`)).rejects.toThrow();
  });
});
