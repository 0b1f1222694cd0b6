import { Module } from '@nestjs/common';
import { StoredSecretsModule } from '@switchboard/broker';
import { messagingCountSecretsV1, messagingResealSecretsV1 } from '@switchboard/contracts';
import { tokenPlace } from '../numbers/number-token';
import { contentPlace } from '../sends/secret-content';

@Module({
  imports: [
    StoredSecretsModule.forRoot({
      count: messagingCountSecretsV1,
      reseal: messagingResealSecretsV1,
      columns: [
        { table: 'numbers', column: 'sealed_access_token', row: 'id', place: tokenPlace },
        // Only sends without a known outcome have encrypted content.
        { table: 'messages', column: 'sealed_content', row: 'id', place: contentPlace, only: 'NOT settled' },
      ],
    }),
  ],
})
export class SecretsModule {}
