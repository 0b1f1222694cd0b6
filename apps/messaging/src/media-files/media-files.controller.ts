import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  AddMediaFileCommand,
  type AddMediaFileReply,
  addMediaFileV1,
  type DeleteMediaFileReply,
  deleteMediaFileV1,
  GetMediaFileCommand,
  getMediaFileV1,
  ListMediaFilesCommand,
  type ListMediaFilesReply,
  listMediaFilesV1,
  type MediaFileRecord,
} from '@switchboard/contracts';
import { MediaFilesService } from './media-files.service';

@Controller()
export class MediaFilesController {
  constructor(private readonly files: MediaFilesService) {}

  @CommandHandler(addMediaFileV1)
  add(@Payload() command: AddMediaFileCommand): Promise<AddMediaFileReply> {
    return this.files.add(command);
  }

  @CommandHandler(getMediaFileV1)
  get(@Payload() command: GetMediaFileCommand): Promise<MediaFileRecord> {
    return this.files.get(command);
  }

  @CommandHandler(deleteMediaFileV1)
  delete(@Payload() command: GetMediaFileCommand): Promise<DeleteMediaFileReply> {
    return this.files.delete(command);
  }

  @CommandHandler(listMediaFilesV1)
  list(@Payload() command: ListMediaFilesCommand): Promise<ListMediaFilesReply> {
    return this.files.list(command);
  }
}
