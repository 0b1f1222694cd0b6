import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  contractsHandledBy,
  DeliverEventV1,
  deliverEventV1,
  type ListEndpointsReply,
  listEndpointsV1,
  MessageReceivedV1,
  messageReceivedV1,
  SetEndpointCommand,
  type SetEndpointReply,
  setEndpointV1,
  TemplateStatusChangedV1,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { asAllSenders, silentLogger } from '@switchboard/testing';
import {
  type Broker,
  type BrokerOptions,
  createBroker,
  type Delivery,
  CommandHandler,
  EventHandler,
  TaskHandler,
} from '../../src/index';

/** Handlers of the service. By default, messages are accepted and ignored. */
export interface WebhooksHandlers {
  deliver(body: DeliverEventV1, delivery: Delivery): unknown;
  takeReceived(body: MessageReceivedV1, delivery: Delivery): unknown;
  takeTemplateStatus(body: TemplateStatusChangedV1, delivery: Delivery): unknown;
  setEndpoint(body: SetEndpointCommand, delivery: Delivery): Promise<SetEndpointReply> | SetEndpointReply;
  listEndpoints(): Promise<ListEndpointsReply> | ListEndpointsReply;
}

export interface WebhooksService {
  broker: Broker;
  close(): Promise<void>;
}

export type ServiceOptions = Pick<BrokerOptions, 'url' | 'namespace'> & Partial<BrokerOptions>;

/** Starts the service `webhooks` with the test's handlers, as a real Nest microservice in this process. */
export async function startWebhooks(
  options: ServiceOptions,
  handlers: Partial<WebhooksHandlers> = {},
): Promise<WebhooksService> {
  const broker = createBroker({ service: 'webhooks', logger: silentLogger, ...options });
  const app = await NestFactory.createMicroservice(webhooksModule(handlers), {
    strategy: broker.transport,
    logger: false,
  });
  const close = async (): Promise<void> => {
    await app.close();
    await broker.close();
  };
  try {
    await app.listen();
  } catch (error) {
    await close();
    throw error;
  }
  return { broker, close };
}

/** Connects a broker that sends on behalf of the other services. */
export async function connectGateway(options: ServiceOptions): Promise<Broker> {
  const broker = asAllSenders('gateway', (service) => createBroker({ logger: silentLogger, ...options, service }), [
    'webhooks',
    'messaging',
  ]);
  await broker.connect();
  return broker;
}

function webhooksModule(handlers: Partial<WebhooksHandlers>): new () => object {
  @Controller()
  class WebhooksController {
    @TaskHandler(deliverEventV1)
    deliver(@Payload() body: DeliverEventV1, @Ctx() delivery: Delivery): unknown {
      return handlers.deliver?.(body, delivery);
    }

    @EventHandler(messageReceivedV1)
    takeReceived(@Payload() body: MessageReceivedV1, @Ctx() delivery: Delivery): unknown {
      return handlers.takeReceived?.(body, delivery);
    }

    @EventHandler(templateStatusChangedV1)
    takeTemplateStatus(@Payload() body: TemplateStatusChangedV1, @Ctx() delivery: Delivery): unknown {
      return handlers.takeTemplateStatus?.(body, delivery);
    }

    @CommandHandler(setEndpointV1)
    setEndpoint(
      @Payload() body: SetEndpointCommand,
      @Ctx() delivery: Delivery,
    ): Promise<SetEndpointReply> | SetEndpointReply {
      return handlers.setEndpoint?.(body, delivery) ?? setEndpointV1.sample.response;
    }

    @CommandHandler(listEndpointsV1)
    listEndpoints(): Promise<ListEndpointsReply> | ListEndpointsReply {
      return handlers.listEndpoints?.() ?? listEndpointsV1.sample.response;
    }
  }

  takeTheRest(WebhooksController);
  @Module({ controllers: [WebhooksController] })
  class WebhooksModule {}
  return WebhooksModule;
}

const LOOKED_AT: readonly object[] = [
  deliverEventV1,
  messageReceivedV1,
  templateStatusChangedV1,
  setEndpointV1,
  listEndpointsV1,
];

/**
 * Adds handlers for all messages that a test does not use, because a service must handle each of its messages. Commands
 * get their sample reply.
 */
function takeTheRest(controller: new () => object): void {
  for (const contract of contractsHandledBy('webhooks').filter((each) => !LOOKED_AT.includes(each))) {
    const descriptor = {
      value: () => (contract.kind === 'command' ? contract.sample.response : undefined),
      configurable: true,
    };
    Object.defineProperty(controller.prototype, contract.name, descriptor);
    MessagePattern(contract.name)(controller.prototype, contract.name, descriptor);
  }
}
