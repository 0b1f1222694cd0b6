import { messagingGetUpstreamVersionV1 } from '@switchboard/contracts';
import type { Logger } from '@switchboard/platform';
import { silentLogger } from '@switchboard/testing';
import { startMessaging } from './support/start-messaging';

describe('upstream API version', () => {
  it('is reported, and logged at startup after its end date', async () => {
    const warn = jest.fn();
    const logger = Object.assign(Object.create(silentLogger) as Logger, { warn });
    const messaging = await startMessaging({ env: { UPSTREAM_API_VERSION: 'v19.0' }, logger });
    try {
      expect(await messaging.gateway.request(messagingGetUpstreamVersionV1, {})).toEqual({ version: 'v19.0' });
      expect(warn).toHaveBeenCalledWith(
        expect.objectContaining({ version: 'v19.0', state: 'ended', ends: '2026-05-21' }),
        'upstream.version',
      );
    } finally {
      await messaging.stop();
    }
  });
});
