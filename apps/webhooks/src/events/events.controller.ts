import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesEvent } from '@switchboard/broker';
import {
  messageReceivedV1,
  MessageReceivedV1,
  messageStatusChangedV1,
  MessageStatusChangedV1,
  templateStatusChangedV1,
  TemplateStatusChangedV1,
} from '@switchboard/contracts';
import { inboundMessageEvent, messageStatusEvent, templateStatusEvent } from './customer-event';
import { EventsService } from './events.service';

/** Turns what other services report into customers' events. */
@Controller()
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @HandlesEvent(messageReceivedV1)
  messageReceived(@Payload() message: MessageReceivedV1): Promise<void> {
    return this.events.recordEvent(inboundMessageEvent(message));
  }

  @HandlesEvent(messageStatusChangedV1)
  messageStatusChanged(@Payload() change: MessageStatusChangedV1): Promise<void> {
    return this.events.recordEvent(messageStatusEvent(change));
  }

  @HandlesEvent(templateStatusChangedV1)
  templateStatusChanged(@Payload() change: TemplateStatusChangedV1): Promise<void> {
    return this.events.recordEvent(templateStatusEvent(change));
  }
}
