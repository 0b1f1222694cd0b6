import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import { GetSyncCommand, getSyncV1, RequestSyncCommand, requestSyncV1, type SyncReply } from '@switchboard/contracts';
import { SyncStatus } from './sync-status.service';

@Controller()
export class SyncStatusController {
  constructor(private readonly status: SyncStatus) {}

  @HandlesCommand(requestSyncV1)
  async request(@Payload() { accountId }: RequestSyncCommand): Promise<SyncReply> {
    return { businesses: await this.status.request(accountId) };
  }

  @HandlesCommand(getSyncV1)
  async get(@Payload() { accountId }: GetSyncCommand): Promise<SyncReply> {
    return { businesses: await this.status.list(accountId) };
  }
}
