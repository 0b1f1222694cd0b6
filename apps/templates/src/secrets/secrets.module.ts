import { Module } from '@nestjs/common';
import { StoredSecretsModule } from '@switchboard/broker';
import { templatesCountSecretsV1, templatesResealSecretsV1 } from '@switchboard/contracts';
import { tokenPlaceOf } from '../upstream/token-place';

@Module({
  imports: [
    StoredSecretsModule.forRoot({
      count: templatesCountSecretsV1,
      reseal: templatesResealSecretsV1,
      columns: [
        {
          table: 'upstream_accounts',
          column: 'sealed_access_token',
          row: "account_id || '/' || waba_id",
          place: tokenPlaceOf,
        },
      ],
    }),
  ],
})
export class SecretsModule {}
