import { createBlobStore } from '@switchboard/blobs';
import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import { createMediaClient, createUpstreamClient, DEFAULT_CONNECTIONS } from '@switchboard/upstream';
import type { MessagingConfig } from './config';
import { MessagingModule } from './messaging.module';

/** Puts the service together; it takes messages once `listen` is called. */
export async function buildService(config: MessagingConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'messaging', ...brokerOptionsOf(config), logger, prefetch: config.PREFETCH });
  const { UPSTREAM_BASE_URL: baseUrl, UPSTREAM_API_VERSION: apiVersion, UPSTREAM_TIMEOUT_MS: timeoutMs } = config;
  // Jobs never use more than their own: a single send always finds a connection.
  const connections = DEFAULT_CONNECTIONS + config.JOB_SENDS_AT_A_TIME;
  const appSecret = config.UPSTREAM_APP_SECRET;
  const upstream = createUpstreamClient({ baseUrl, apiVersion, timeoutMs, connections, appSecret });
  const mediaClient = createMediaClient({ baseUrl, apiVersion, timeoutMs, appSecret });
  const blobs = await createBlobStore(config);
  const afterClose = async (): Promise<void> => void (await Promise.all([upstream.close(), mediaClient.close()]));
  return buildMessageService({
    module: MessagingModule.with({ config, logger, broker, upstream, mediaClient, blobs }),
    broker,
    logger,
    afterClose,
  });
}
