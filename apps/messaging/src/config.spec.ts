import { readConfig } from '@switchboard/platform';
import { settings } from './config';

it('waits 15 minutes for the callback of an unrepeatable send (spec §3.9.6)', () => {
  const config = readConfig(settings, {
    DATABASE_URL: 'postgres://localhost/messaging',
    RABBITMQ_URL: 'amqp://localhost',
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    UPSTREAM_BASE_URL: 'https://platform.example.com',
  });
  expect(config.CALLBACK_WAIT_SECONDS).toBe(15 * 60);
});
