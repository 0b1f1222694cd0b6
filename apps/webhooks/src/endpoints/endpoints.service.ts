import { Inject, Injectable } from '@nestjs/common';
import { newId, type SetEndpointCommand, type SetEndpointReply } from '@switchboard/contracts';
import { CONFIG, type Logger, LOGGER, seal, unseal } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from '../config';
import { CustomerHttp } from '../customer-http/customer-http';
import { newSecret } from '../deliveries/signature';
import { parseCustomerUrl } from '../url-guard/url-guard';
import { verifyEndpoint } from './challenge';
import { saveEndpoint } from './endpoints.queries';

@Injectable()
export class EndpointsService {
  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly http: CustomerHttp,
  ) {}

  /**
   * Saves an endpoint that passes the URL guard and the verification challenge, with a new secret.
   * @param setBy the command's id: the same command a second time gives the same secret
   * @throws AppError INVALID_LINK or INVALID_PARAMETER saying what failed; then nothing is changed
   */
  async setEndpoint(command: SetEndpointCommand, setBy: string): Promise<SetEndpointReply> {
    const { accountId, sealedVerifyToken } = command;
    const { ENCRYPTION_KEY: key, WEBHOOK_ALLOW_PRIVATE: allowPrivate } = this.config;
    const url = parseCustomerUrl(command.url, { allowPrivate });
    await verifyEndpoint(this.http, { url, verifyToken: unseal(sealedVerifyToken, key) });
    const sealedSecret = seal(newSecret(), key);
    const saved = await saveEndpoint(this.dataSource, { id: newId('ep'), accountId, url: url.toString(), sealedVerifyToken, sealedSecret, setBy });
    this.logger.info({ accountId, endpointId: saved.id, host: url.host }, 'endpoint.saved');
    return saved;
  }
}
