import { createBlobStore } from '@switchboard/blobs';
import { buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import { createMediaClient, createUpstreamClient } from '@switchboard/upstream';
import type { MessagingConfig } from './config';
import { MessagingModule } from './messaging.module';

/** Puts the service together; it takes messages once `listen` is called. */
export async function buildService(config: MessagingConfig, logger: Logger): Promise<BuiltService> {
  const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = config;
  const broker = createBroker({ service: 'messaging', url, namespace, logger, prefetch: config.PREFETCH });
  const { UPSTREAM_BASE_URL: baseUrl, UPSTREAM_API_VERSION: apiVersion, UPSTREAM_TIMEOUT_MS: timeoutMs } = config;
  const upstream = createUpstreamClient({ baseUrl, apiVersion, timeoutMs });
  const mediaClient = createMediaClient({ baseUrl, apiVersion, timeoutMs });
  const blobs = await createBlobStore(config);
  const afterClose = async (): Promise<void> => void (await Promise.all([upstream.close(), mediaClient.close()]));
  return buildMessageService({ module: MessagingModule.with({ config, logger, broker, upstream, mediaClient, blobs }), broker, logger, afterClose });
}
