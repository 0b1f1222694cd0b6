import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { EventHandler } from '@switchboard/broker';
import { UpstreamAppDataReceivedV1, upstreamAppDataReceivedV1 } from '@switchboard/contracts';
import { AppDataService } from './app-data.service';

@Controller()
export class AppDataController {
  constructor(private readonly appData: AppDataService) {}

  @EventHandler(upstreamAppDataReceivedV1)
  applyAppData(@Payload() callback: UpstreamAppDataReceivedV1): Promise<void> {
    return this.appData.applyAppData(callback);
  }
}
