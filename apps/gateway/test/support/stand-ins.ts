import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { createBroker, CommandHandler, EventHandler, TaskHandler } from '@switchboard/broker';
import { contractsHandledBy, type MessageContract, type ServiceName } from '@switchboard/contracts';
import { nestLogger } from '@switchboard/platform';
import { silentLogger } from '@switchboard/testing';

export interface Received {
  name: string;
  body: Record<string, unknown>;
}
type Answerer = (body: Record<string, unknown>) => unknown;

/**
 * Fakes of the services behind the gateway: real broker handlers that record requests and reply with a contract's
 * sample by default.
 */
export class StandIns {
  readonly received: Received[] = [];
  private readonly answerers = new Map<string, Answerer>();

  /** Sets the reply to the contract's messages. */
  answer(contract: MessageContract, answerer: Answerer): void {
    this.answerers.set(contract.name, answerer);
  }

  of(contract: MessageContract): Record<string, unknown>[] {
    return this.received.filter(({ name }) => name === contract.name).map(({ body }) => body);
  }

  reset(): void {
    this.received.length = 0;
    this.answerers.clear();
  }

  take(contract: MessageContract, body: Record<string, unknown>): unknown {
    this.received.push({ name: contract.name, body });
    const answerer = this.answerers.get(contract.name);
    if (answerer) return answerer(body);
    return contract.kind === 'command' ? contract.sample.response : undefined;
  }
}

/** Starts the fake of one service. @returns a function that stops it */
export async function startStandIn(
  service: ServiceName,
  standIns: StandIns,
  options: { url: string; namespace: string },
): Promise<() => Promise<void>> {
  const broker = createBroker({ service, ...options, logger: silentLogger });
  const app = await NestFactory.createMicroservice(
    { module: class StandInModule {}, controllers: [controllerOf(service, standIns)] },
    { strategy: broker.transport, logger: nestLogger(silentLogger), abortOnError: false },
  );
  await app.listen();
  return async () => {
    await app.close();
    await broker.close();
  };
}

function controllerOf(service: ServiceName, standIns: StandIns): new () => object {
  class StandInController {}
  const prototype = StandInController.prototype as Record<string, unknown>;
  contractsHandledBy(service).forEach((contract, index) => {
    const key = `take${index}`;
    prototype[key] = (body: Record<string, unknown>) => standIns.take(contract, body);
    const descriptor = Object.getOwnPropertyDescriptor(prototype, key) as TypedPropertyDescriptor<never>;
    Payload()(prototype, key, 0);
    Ctx()(prototype, key, 1);
    decoratorOf(contract)(prototype, key, descriptor);
  });
  Controller()(StandInController);
  return StandInController;
}

function decoratorOf(contract: MessageContract): MethodDecorator {
  if (contract.kind === 'command') return CommandHandler(contract) as MethodDecorator;
  return (contract.kind === 'task' ? TaskHandler(contract) : EventHandler(contract)) as MethodDecorator;
}
