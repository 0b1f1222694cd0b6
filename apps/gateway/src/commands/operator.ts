import type { Abstract, Type } from '@nestjs/common';
import type { SecretBox } from '@switchboard/platform';
import type {
  JobsClient,
  MessagingClient,
  OtpClient,
  TemplatesClient,
  WebhooksClient,
} from '@switchboard/service-clients';
import type { OpsConfig } from '../config';

/** What commands work with; database and broker are connected to when the first command needs them. */
export interface Operator {
  actor: string;
  /** @throws AppError INVALID_PARAMETER when settings are missing or wrong */
  config(): OpsConfig;
  /** @throws AppError INVALID_PARAMETER when settings are missing or wrong */
  secretBox(): SecretBox;
  /**
   * Returns a service by its class, as Nest's `app.get()` does: one of those that work on the database alone, or
   * `DataSource` or `Transactions`.
   */
  get<Service>(type: Type<Service> | Abstract<Service>): Promise<Service>;
  /** The clients throw AppError UNAVAILABLE with the name of the service that does not reply. */
  messaging: MessagingClient;
  templates: TemplatesClient;
  otp: OtpClient;
  jobs: JobsClient;
  webhooks: WebhooksClient;
  close(): Promise<void>;
}
