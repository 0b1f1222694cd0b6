import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { SecretsController } from './secrets.controller';

@Module({
  imports: [SecretBoxModule],
  controllers: [SecretsController],
})
export class SecretsModule {}
