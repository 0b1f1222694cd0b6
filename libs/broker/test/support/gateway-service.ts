import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { contractsHandledBy, type MessageContract } from '@switchboard/contracts';
import { silentLogger } from '@switchboard/testing';
import { type Broker, createBroker, type Delivery, HandlesCommand, HandlesEvent, HandlesTask } from '../../src/index';
import type { ServiceOptions } from './webhooks-service';

type Taker = (contract: MessageContract, body: object, delivery: Delivery) => unknown;

/** One process of the service `gateway`, which gives everything it hears or takes to one function. */
export async function startGatewayProcess(
  options: ServiceOptions,
  take: Taker,
): Promise<{ broker: Broker; close(): Promise<void> }> {
  const broker = createBroker({ service: 'gateway', logger: silentLogger, ...options });
  const module = { module: class GatewayModule {}, controllers: [controllerThat(take)] };
  const app = await NestFactory.createMicroservice(module, { strategy: broker.transport, logger: false });
  await app.listen();
  return {
    broker,
    close: async () => {
      await app.close();
      await broker.close();
    },
  };
}

function controllerThat(take: Taker): new () => object {
  class GatewayController {}
  const prototype = GatewayController.prototype as Record<string, unknown>;
  contractsHandledBy('gateway').forEach((contract, index) => {
    const key = `take${index}`;
    prototype[key] = (body: object, delivery: Delivery) => take(contract, body, delivery);
    Payload()(prototype, key, 0);
    Ctx()(prototype, key, 1);
    decoratorOf(contract)(
      prototype,
      key,
      Object.getOwnPropertyDescriptor(prototype, key) as TypedPropertyDescriptor<never>,
    );
  });
  Controller()(GatewayController);
  return GatewayController;
}

function decoratorOf(contract: MessageContract): MethodDecorator {
  if (contract.kind === 'command') return HandlesCommand(contract) as MethodDecorator;
  return (contract.kind === 'task' ? HandlesTask(contract) : HandlesEvent(contract)) as MethodDecorator;
}
