import { newId } from '@switchboard/contracts';
import { recipients, release, told } from './support/jobs';
import { addFile, sale } from './support/media-files';
import { type RunningMessaging, startMessaging } from './support/start-messaging';

const RECIPIENTS = 5_000;
const PER_TASK = 100;

describe('a picture of a large job', () => {
  let messaging: RunningMessaging;

  beforeAll(async () => {
    // Leaves time for calls on a busy machine, because a call that times out has an unknown outcome.
    messaging = await startMessaging({ replicas: 2, upstreamTimeoutMs: 60_000, graceSeconds: 240 });
  });
  afterAll(() => messaging.stop());

  it('is uploaded once per number of a two-number job', async () => {
    messaging.templates.set(sale.name, sale);
    const first = await messaging.addAccount();
    const second = await messaging.addAccount(first.accountId);
    const { id } = await addFile(messaging, first.accountId, { size: 500_000 });
    const components = [{ type: 'header', parameters: [{ type: 'image' as const, image: { id } }] }];
    const template = { name: sale.name, language: { code: 'en_US' }, components };
    const [jobId, all] = [newId('job'), recipients(RECIPIENTS)];
    const before = messaging.upstream.uploads.length;
    for (let start = 0; start < RECIPIENTS; start += PER_TASK) {
      const { phoneNumber: from } = (start / PER_TASK) % 2 === 0 ? first : second;
      const message = { type: 'template' as const, from, template };
      await release(messaging, first, { jobId, message, recipients: all.slice(start, start + PER_TASK) });
    }
    const changes = await told(messaging, jobId, RECIPIENTS, { timeoutMs: 900_000 });
    expect(new Set(changes.map(({ status }) => status))).toEqual(new Set(['accepted']));
    expect(messaging.upstream.uploads.length - before).toBe(2);
  }, 960_000);

  it('is uploaded once by two processes', async () => {
    messaging.templates.set(sale.name, sale);
    const account = await messaging.addAccount();
    const { id } = await addFile(messaging, account.accountId, { size: 500_000 });
    const components = [{ type: 'header', parameters: [{ type: 'image' as const, image: { id } }] }];
    const template = { name: sale.name, language: { code: 'en_US' }, components };
    const message = { type: 'template' as const, from: account.phoneNumber, template };
    const [jobId, all] = [newId('job'), recipients(RECIPIENTS)];
    const [uploadsBefore, sendsBefore] = [messaging.upstream.uploads.length, messaging.upstream.sends.length];
    const startedAt = performance.now();
    for (let start = 0; start < RECIPIENTS; start += PER_TASK)
      await release(messaging, account, { jobId, message, recipients: all.slice(start, start + PER_TASK) });
    const changes = await told(messaging, jobId, RECIPIENTS, { timeoutMs: 900_000 });
    const seconds = (performance.now() - startedAt) / 1_000;
    const uploads = messaging.upstream.uploads.length - uploadsBefore;
    console.log(`${RECIPIENTS} messages in ${seconds.toFixed(1)} s: ${uploads} upload`);
    expect(new Set(changes.map(({ status }) => status))).toEqual(new Set(['accepted']));
    expect(messaging.upstream.sends.length - sendsBefore).toBe(RECIPIENTS);
    expect(uploads).toBe(1);
  }, 960_000);
});
