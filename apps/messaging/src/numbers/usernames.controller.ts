import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { CommandHandler, type Delivery } from '@switchboard/broker';
import {
  GetNumberUsernameCommand,
  getNumberUsernameV1,
  type NumberUsernameReply,
  SetNumberUsernameCommand,
  setNumberUsernameV1,
} from '@switchboard/contracts';
import { UsernamesService } from './usernames.service';

@Controller()
export class UsernamesController {
  constructor(private readonly usernames: UsernamesService) {}

  @CommandHandler(getNumberUsernameV1)
  readUsername(
    @Payload() command: GetNumberUsernameCommand,
    @Ctx() { deadline }: Delivery,
  ): Promise<NumberUsernameReply> {
    return this.usernames.read(command, deadline);
  }

  @CommandHandler(setNumberUsernameV1)
  changeUsername(
    @Payload() command: SetNumberUsernameCommand,
    @Ctx() { deadline }: Delivery,
  ): Promise<NumberUsernameReply> {
    return this.usernames.change(command, deadline);
  }
}
