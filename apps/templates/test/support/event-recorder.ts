import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createBroker, HandlesCommand, HandlesEvent, HandlesTask } from '@switchboard/broker';
import { contractsHandledBy, type MessageContract, type TemplateStatusChangedV1, templateStatusChangedV1 } from '@switchboard/contracts';
import { silentLogger } from '@switchboard/testing';

export interface EventRecorder {
  statusChanges: TemplateStatusChangedV1[];
  stop(): Promise<void>;
}

/** Stands in the place of webhooks and records every change of status that would go to a customer. */
export async function startEventRecorder(url: string, namespace: string): Promise<EventRecorder> {
  const statusChanges: TemplateStatusChangedV1[] = [];
  class Recorder {}
  for (const contract of contractsHandledBy('webhooks')) {
    const isWanted = contract === templateStatusChangedV1;
    const value = (body: object): void => void (isWanted && statusChanges.push(body as TemplateStatusChangedV1));
    Object.defineProperty(Recorder.prototype, contract.name, { value, configurable: true, writable: true });
    markAsHandler(contract, Recorder.prototype);
  }
  Controller()(Recorder);
  class RecorderModule {}
  Module({ controllers: [Recorder] })(RecorderModule);
  const broker = createBroker({ service: 'webhooks', url, namespace, logger: silentLogger });
  const app = await NestFactory.createMicroservice(RecorderModule, { strategy: broker.transport, logger: false, abortOnError: false });
  await app.listen();
  return {
    statusChanges,
    stop: async () => {
      await app.close();
      await broker.close();
    },
  };
}

function markAsHandler(contract: MessageContract, prototype: object): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, contract.name) ?? {};
  if (contract.kind === 'command') HandlesCommand(contract)(prototype, contract.name, descriptor);
  if (contract.kind === 'task') HandlesTask(contract)(prototype, contract.name, descriptor);
  if (contract.kind === 'event') HandlesEvent(contract)(prototype, contract.name, descriptor);
}
