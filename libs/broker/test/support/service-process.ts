import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { contractsHandledBy, type MessageContract, type ServiceName } from '@switchboard/contracts';
import { silentLogger } from '@switchboard/testing';
import { type Broker, createBroker, type Delivery, CommandHandler, EventHandler, TaskHandler } from '../../src/index';
import type { ServiceOptions } from './webhooks-service';

type Taker = (contract: MessageContract, body: object, delivery: Delivery) => unknown;

/** Starts a process of a service that passes every message to one function. */
export async function startProcess(
  service: ServiceName,
  options: ServiceOptions,
  take: Taker,
): Promise<{ broker: Broker; close(): Promise<void> }> {
  const broker = createBroker({ service, logger: silentLogger, ...options });
  const module = { module: class ServiceModule {}, controllers: [controllerThat(service, take)] };
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

function controllerThat(service: ServiceName, take: Taker): new () => object {
  class ServiceController {}
  const prototype = ServiceController.prototype as Record<string, unknown>;
  contractsHandledBy(service).forEach((contract, index) => {
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
  Controller()(ServiceController);
  return ServiceController;
}

function decoratorOf(contract: MessageContract): MethodDecorator {
  if (contract.kind === 'command') return CommandHandler(contract) as MethodDecorator;
  return (contract.kind === 'task' ? TaskHandler(contract) : EventHandler(contract)) as MethodDecorator;
}
