import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { UpstreamModule } from '../../upstream/upstream.module';
import { NumbersModule } from '../numbers.module';
import { ConnectionChecks } from './connection-checks';
import { ConnectionController } from './connection.controller';
import { NumberSetup } from './number-setup';

@Module({
  imports: [NumbersModule, SecretBoxModule, UpstreamModule],
  controllers: [ConnectionController],
  providers: [ConnectionChecks, NumberSetup],
})
export class ConnectionModule {}
