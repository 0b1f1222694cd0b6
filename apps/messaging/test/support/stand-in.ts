import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { createBroker, type Delivery, CommandHandler, EventHandler, TaskHandler } from '@switchboard/broker';
import { contractsHandledBy, type MessageContract, type ServiceName } from '@switchboard/contracts';
import { silentLogger } from '@switchboard/testing';

export interface StandInOptions {
  service: ServiceName;
  url: string;
  namespace: string;
  /** Handles every message that the service would get, by contract name; the result is the response to a command. */
  take(contractName: string, body: object): object | undefined;
  /** Called when a message arrives again under its id, which is allowed only after a failure. */
  repeated(contractName: string): void;
}

/** Starts a real consumer in place of another service. @returns a function that stops it */
export async function startStandIn({
  service,
  url,
  namespace,
  take,
  repeated,
}: StandInOptions): Promise<() => Promise<void>> {
  class StandIn {}
  // Messages may be delivered twice, here as anywhere.
  const seen = new Set<string>();
  for (const contract of contractsHandledBy(service)) {
    const value = (body: object, { messageId }: Delivery): object | undefined => {
      if (seen.has(messageId)) return void repeated(contract.name);
      seen.add(messageId);
      return take(contract.name, body);
    };
    Object.defineProperty(StandIn.prototype, contract.name, { value, configurable: true, writable: true });
    Payload()(StandIn.prototype, contract.name, 0);
    Ctx()(StandIn.prototype, contract.name, 1);
    markAsHandler(contract, StandIn.prototype);
  }
  Controller()(StandIn);
  class StandInModule {}
  Module({ controllers: [StandIn] })(StandInModule);
  const broker = createBroker({ service, url, namespace, logger: silentLogger });
  const app = await NestFactory.createMicroservice(StandInModule, {
    strategy: broker.transport,
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  return async () => {
    await app.close();
    await broker.close();
  };
}

function markAsHandler(contract: MessageContract, prototype: object): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, contract.name) ?? {};
  if (contract.kind === 'command') CommandHandler(contract)(prototype, contract.name, descriptor);
  if (contract.kind === 'task') TaskHandler(contract)(prototype, contract.name, descriptor);
  if (contract.kind === 'event') EventHandler(contract)(prototype, contract.name, descriptor);
}
