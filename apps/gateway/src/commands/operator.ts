import type { Abstract, Type } from '@nestjs/common';
import type { SecretBox } from '@switchboard/platform';
import type {
  JobsClient,
  MessagingClient,
  OtpClient,
  TemplatesClient,
  WebhooksClient,
} from '@switchboard/service-clients';
import type { CliConfig } from '../config';

/** Services available to commands. The database and the broker connect on first use. */
export interface Operator {
  actor: string;
  /** @throws AppError INVALID_PARAMETER for missing or invalid settings */
  config(): CliConfig;
  /** @throws AppError INVALID_PARAMETER for missing or invalid settings */
  secretBox(): SecretBox;
  /**
   * Returns a provider by class, like Nest's `app.get()`: a service that needs only the database, or `DataSource` or
   * `Transactions`.
   */
  get<Service>(type: Type<Service> | Abstract<Service>): Promise<Service>;
  /** Clients throw AppError UNAVAILABLE with the name of the service that does not reply. */
  messaging: MessagingClient;
  templates: TemplatesClient;
  otp: OtpClient;
  jobs: JobsClient;
  webhooks: WebhooksClient;
  close(): Promise<void>;
}
