import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler, TaskHandler } from '@switchboard/broker';
import { FetchMediaV1, fetchMediaV1, GetMediaCommand, type GetMediaReply, getMediaV1 } from '@switchboard/contracts';
import { MediaService } from './media.service';

@Controller()
export class MediaController {
  constructor(private readonly media: MediaService) {}

  @TaskHandler(fetchMediaV1)
  fetch(@Payload() task: FetchMediaV1): Promise<void> {
    return this.media.attemptFetch(task);
  }

  @CommandHandler(getMediaV1)
  get(@Payload() command: GetMediaCommand): Promise<GetMediaReply> {
    return this.media.getMedia(command);
  }
}
