import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, HandlesCommand } from '@switchboard/broker';
import { SetEndpointCommand, type SetEndpointReply, setEndpointV1 } from '@switchboard/contracts';
import { EndpointsService } from './endpoints.service';

@Controller()
export class EndpointsController {
  constructor(private readonly endpoints: EndpointsService) {}

  @HandlesCommand(setEndpointV1)
  setEndpoint(@Payload() command: SetEndpointCommand, @Ctx() delivery: Delivery): Promise<SetEndpointReply> {
    return this.endpoints.setEndpoint(command, delivery.messageId);
  }
}
