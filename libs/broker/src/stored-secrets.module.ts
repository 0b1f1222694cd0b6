import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  type CommandContract,
  CountSecretsCommand,
  type CountSecretsReply,
  ResealSecretsCommand,
  type ResealSecretsReply,
} from '@switchboard/contracts';
import { countSealed, resealColumn, type SealedColumn } from '@switchboard/database';
import { SecretBox, SecretBoxModule } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { CommandHandler } from './handler-decorators';

export interface StoredSecretsOptions {
  count: CommandContract<CountSecretsCommand, CountSecretsReply>;
  reseal: CommandContract<ResealSecretsCommand, ResealSecretsReply>;
  /** Every column of the service that holds encrypted values. */
  columns: readonly SealedColumn[];
}

/** Handles the commands of `ops secrets`, which rotate the encryption key, for one service. */
@Module({})
export class StoredSecretsModule {
  static forRoot({ count, reseal, columns }: StoredSecretsOptions): DynamicModule {
    @Controller()
    class StoredSecretsController {
      constructor(
        private readonly dataSource: DataSource,
        private readonly box: SecretBox,
      ) {}

      @CommandHandler(count)
      async countSecrets(): Promise<CountSecretsReply> {
        return { keyId: this.box.keyId, columns: await countSealed(this.dataSource, this.box, columns) };
      }

      /** @throws AppError NOT_FOUND when the service has no such column */
      @CommandHandler(reseal)
      resealSecrets(@Payload() command: ResealSecretsCommand): Promise<ResealSecretsReply> {
        return resealColumn(this.dataSource, this.box, columns, command);
      }
    }

    return { module: StoredSecretsModule, imports: [SecretBoxModule], controllers: [StoredSecretsController] };
  }
}
