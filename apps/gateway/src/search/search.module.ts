import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { MessagesModule } from '../messages/messages.module';
import { ConsoleSearchController } from './console-search.controller';
import { SearchService } from './search.service';

@Module({
  imports: [ApiKeysModule, MessagesModule, ServiceClientsModule],
  controllers: [ConsoleSearchController],
  providers: [SearchService],
})
export class SearchModule {}
