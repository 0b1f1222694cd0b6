import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  type CountSecretsReply,
  webhooksCountSecretsV1,
  webhooksResealSecretsV1,
  ResealSecretsCommand,
  type ResealSecretsReply,
} from '@switchboard/contracts';
import { countSealed, resealColumn } from '@switchboard/database';
import { SecretBox } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { SEALED_COLUMNS } from './sealed-columns';

/** For `ops secrets`: the service's part in the replacement of the encryption key. */
@Controller()
export class SecretsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  @CommandHandler(webhooksCountSecretsV1)
  async countSecrets(): Promise<CountSecretsReply> {
    return { keyId: this.box.keyId, columns: await countSealed(this.dataSource, this.box, SEALED_COLUMNS) };
  }

  /** @throws AppError NOT_FOUND when the service has no such column */
  @CommandHandler(webhooksResealSecretsV1)
  resealSecrets(@Payload() command: ResealSecretsCommand): Promise<ResealSecretsReply> {
    return resealColumn(this.dataSource, this.box, SEALED_COLUMNS, command);
  }
}
