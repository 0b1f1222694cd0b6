import type { Logger } from '@switchboard/platform';
import { FaultyCallbacks } from './callbacks/callback-faults';
import { CallbackSender } from './callbacks/callback-sender';
import { StatusPlayer } from './callbacks/statuses';
import type { SimulatorSettings } from './config';
import { FaultStore } from './control/faults';
import { MessageLog } from './messages/message-log';
import { ServiceWindows } from './messages/service-windows';
import { NumberStore } from './numbers/number-store';
import { Scheduler } from './scheduler';
import { TemplateStore } from './templates/template-store';

/** Everything that one simulator remembers and does in the background; all of it in memory. */
export interface World {
  settings: SimulatorSettings;
  logger: Logger;
  scheduler: Scheduler;
  numbers: NumberStore;
  templates: TemplateStore;
  messages: MessageLog;
  windows: ServiceWindows;
  faults: FaultStore;
  sender: CallbackSender;
  callbacks: FaultyCallbacks;
  statuses: StatusPlayer;
}

export function createWorld(settings: SimulatorSettings, logger: Logger): World {
  const scheduler = new Scheduler();
  const faults = new FaultStore();
  const windows = new ServiceWindows();
  const messages = new MessageLog();
  const sender = new CallbackSender(settings, scheduler, logger);
  const callbacks = new FaultyCallbacks(sender, faults, scheduler);
  const statuses = new StatusPlayer(settings.delaysMs, scheduler, windows, messages, callbacks);
  const numbers = new NumberStore();
  const templates = new TemplateStore();
  return { settings, logger, scheduler, numbers, templates, messages, windows, faults, sender, callbacks, statuses };
}

/** Back to the seed: nothing received, no window open, no fault, no callback waiting. */
export function resetWorld(world: World): void {
  const { scheduler, numbers, templates, messages, windows, faults, sender, callbacks } = world;
  scheduler.clear();
  for (const part of [numbers, templates, messages, windows, faults, sender, callbacks]) part.reset();
}

/** Stops the background work at once; what waits is forgotten. */
export async function endWorld({ scheduler, sender }: World): Promise<void> {
  scheduler.stop();
  await sender.close();
}
