import type { Logger } from '@switchboard/platform';
import { AppSecretSwitch } from './app-secret';
import { FaultyCallbacks } from './callbacks/callback-faults';
import { CallbackSender } from './callbacks/callback-sender';
import { StatusPlayer } from './messages/statuses';
import type { SimulatorSettings } from './config';
import { FaultStore } from './faults';
import { Customers } from './customers/customers';
import { PortfolioLimits } from './limits/portfolio-limits';
import { RateLimits } from './limits/rate-limits';
import { LinkFetcher } from './media/link-fetcher';
import { MediaStore } from './media/media-store';
import { HeldMessages } from './messages/held-messages';
import { InboundLog } from './messages/inbound-log';
import { Pricing } from './messages/pricing';
import { MessageLog } from './messages/message-log';
import { BusinessStore } from './numbers/business-store';
import { Typing } from './messages/typing';
import { NumberStore } from './numbers/number-store';
import { ReceivedRequests } from './receiver/received-requests';
import { Scheduler } from './scheduler';
import { SimulatedApp } from './tokens/simulated-app';
import { TemplateEvents } from './templates/template-events';
import { TemplateLifecycle } from './templates/template-lifecycle';
import { TemplateStore } from './templates/template-store';
import { UploadStore } from './uploads/upload-store';

/** State and background work of a simulator. All state is in memory, except for media bytes. */
export interface World {
  settings: SimulatorSettings;
  logger: Logger;
  scheduler: Scheduler;
  app: SimulatedApp;
  businesses: BusinessStore;
  numbers: NumberStore;
  templates: TemplateStore;
  lifecycle: TemplateLifecycle;
  media: MediaStore;
  uploads: UploadStore;
  links: LinkFetcher;
  messages: MessageLog;
  inbound: InboundLog;
  held: HeldMessages;
  typing: Typing;
  /** Requests received by the webhook receiver, which is independent of the platform. */
  received: ReceivedRequests;
  customers: Customers;
  pricing: Pricing;
  limits: RateLimits;
  portfolios: PortfolioLimits;
  appSecret: AppSecretSwitch;
  faults: FaultStore;
  sender: CallbackSender;
  callbacks: FaultyCallbacks;
  statuses: StatusPlayer;
  /** @returns the position of a message among those of both directions, to order messages of the same millisecond */
  nextPlace(): number;
}

export function createWorld(settings: SimulatorSettings, logger: Logger): World {
  const scheduler = new Scheduler();
  const faults = new FaultStore();
  const customers = new Customers();
  const sender = new CallbackSender(settings, scheduler, logger);
  const app = new SimulatedApp(settings);
  const businesses = new BusinessStore();
  const callbacks = new FaultyCallbacks(sender, faults, scheduler, (wabaId, field) =>
    Boolean(businesses.byId(wabaId)?.isSubscribed && app.hasField(field)),
  );
  const numbers = new NumberStore();
  const templates = new TemplateStore();
  let places = 0;
  const lifecycleOptions = {
    reviewDelayMs: settings.reviewDelayMs,
    firstPauseMs: settings.firstPauseMs,
    inFlightMs: settings.delaysMs.read,
  };
  return {
    settings,
    logger,
    scheduler,
    app,
    businesses,
    numbers,
    templates,
    lifecycle: new TemplateLifecycle(templates, new TemplateEvents(callbacks, templates), scheduler, lifecycleOptions),
    media: new MediaStore(settings.mediaBytes),
    uploads: new UploadStore(),
    links: new LinkFetcher(),
    messages: new MessageLog(),
    inbound: new InboundLog(),
    held: new HeldMessages(),
    typing: new Typing(),
    received: new ReceivedRequests(),
    customers,
    pricing: new Pricing(settings.pricing),
    limits: new RateLimits({ pair: settings.rateLimits, throughput: settings.rateLimits }),
    portfolios: new PortfolioLimits(settings.portfolio, { numbers, businesses, scheduler, callbacks }),
    appSecret: new AppSecretSwitch(settings.appSecret, settings.requireAppSecret),
    faults,
    sender,
    callbacks,
    statuses: new StatusPlayer(settings.delaysMs, scheduler, customers, faults, callbacks),
    nextPlace: () => places++,
  };
}

/** Resets to the seed data: no messages, windows, faults or pending callbacks. */
export async function resetWorld(world: World): Promise<void> {
  world.scheduler.clear();
  for (const part of [
    world.app,
    world.businesses,
    world.numbers,
    world.templates,
    world.lifecycle,
    world.links,
    world.messages,
    world.inbound,
    world.held,
    world.received,
    world.typing,
    world.customers,
    world.pricing,
    world.limits,
    world.portfolios,
    world.appSecret,
    world.faults,
    world.sender,
    world.callbacks,
  ])
    part.reset();
  await world.media.reset();
  await world.uploads.reset();
}

/** Stops the background work immediately and discards pending items. */
export async function endWorld({ scheduler, sender, media, uploads }: World): Promise<void> {
  scheduler.stop();
  await sender.close();
  media.close();
  uploads.close();
}
