import { Module } from '@nestjs/common';
import { StoredSecretsModule } from '@switchboard/broker';
import { webhooksCountSecretsV1, webhooksResealSecretsV1 } from '@switchboard/contracts';
import { secretPlace, verifyTokenPlace } from './secret-places';

@Module({
  imports: [
    StoredSecretsModule.forRoot({
      count: webhooksCountSecretsV1,
      reseal: webhooksResealSecretsV1,
      columns: [
        { table: 'endpoints', column: 'sealed_verify_token', row: 'id', place: verifyTokenPlace },
        { table: 'endpoints', column: 'sealed_secret', row: 'id', place: secretPlace },
        { table: 'endpoints', column: 'sealed_next_secret', row: 'id', place: secretPlace },
      ],
    }),
  ],
})
export class SecretsModule {}
