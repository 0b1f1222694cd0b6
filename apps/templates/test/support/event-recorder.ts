import { createBroker } from '@switchboard/broker';
import {
  type TemplateContentChangedV1,
  templateContentChangedV1,
  type TemplateStatusChangedV1,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { silentLogger, startFakeService } from '@switchboard/testing';

export interface EventRecorder {
  statusChanges: TemplateStatusChangedV1[];
  contentChanges: TemplateContentChangedV1[];
  stop(): Promise<void>;
}

/** Records the template events that the webhooks and messaging services consume. */
export async function startEventRecorder(url: string, namespace: string): Promise<EventRecorder> {
  const statusChanges: TemplateStatusChangedV1[] = [];
  const contentChanges: TemplateContentChangedV1[] = [];
  const brokerOf = (service: 'messaging' | 'webhooks') =>
    createBroker({ service, url, namespace, logger: silentLogger });
  const stops = await Promise.all([
    startFakeService('webhooks', brokerOf('webhooks'), (contract, body) => {
      if (contract === templateStatusChangedV1) statusChanges.push(body as TemplateStatusChangedV1);
    }),
    startFakeService('messaging', brokerOf('messaging'), (contract, body) => {
      if (contract === templateContentChangedV1) contentChanges.push(body as TemplateContentChangedV1);
    }),
  ]);
  return {
    statusChanges,
    contentChanges,
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };
}
