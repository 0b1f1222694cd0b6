import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createBroker, CommandHandler, EventHandler, TaskHandler } from '@switchboard/broker';
import {
  contractsHandledBy,
  type MessageContract,
  type ServiceName,
  type TemplateContentChangedV1,
  templateContentChangedV1,
  type TemplateStatusChangedV1,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { silentLogger } from '@switchboard/testing';

export interface EventRecorder {
  statusChanges: TemplateStatusChangedV1[];
  contentChanges: TemplateContentChangedV1[];
  stop(): Promise<void>;
}

/** Records all changes that webhooks and messaging would receive, in their place. */
export async function startEventRecorder(url: string, namespace: string): Promise<EventRecorder> {
  const statusChanges: TemplateStatusChangedV1[] = [];
  const contentChanges: TemplateContentChangedV1[] = [];
  const stops = await Promise.all([
    standIn(
      'webhooks',
      { url, namespace },
      (contract, body) =>
        void (contract === templateStatusChangedV1 && statusChanges.push(body as TemplateStatusChangedV1)),
    ),
    standIn(
      'messaging',
      { url, namespace },
      (contract, body) =>
        void (contract === templateContentChangedV1 && contentChanges.push(body as TemplateContentChangedV1)),
    ),
  ]);
  return {
    statusChanges,
    contentChanges,
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };
}

async function standIn(
  service: ServiceName,
  options: { url: string; namespace: string },
  record: (contract: MessageContract, body: object) => void,
): Promise<() => Promise<void>> {
  class Recorder {}
  for (const contract of contractsHandledBy(service)) {
    const value = (body: object): void => record(contract, body);
    Object.defineProperty(Recorder.prototype, contract.name, { value, configurable: true, writable: true });
    markAsHandler(contract, Recorder.prototype);
  }
  Controller()(Recorder);
  class RecorderModule {}
  Module({ controllers: [Recorder] })(RecorderModule);
  const broker = createBroker({ service, ...options, logger: silentLogger });
  const app = await NestFactory.createMicroservice(RecorderModule, {
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
