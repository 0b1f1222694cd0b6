import { Module } from '@nestjs/common';
import { CONFIG } from '@switchboard/platform';
import type { WebhooksConfig } from '../config';
import { CustomerHttp } from './customer-http';

@Module({
  providers: [
    {
      provide: CustomerHttp,
      inject: [CONFIG],
      useFactory: (config: WebhooksConfig) =>
        new CustomerHttp({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, proxyUrl: config.WEBHOOK_PROXY_URL }),
    },
  ],
  exports: [CustomerHttp],
})
export class CustomerHttpModule {}
