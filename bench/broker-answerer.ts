// Process that replies to requests: `node broker-answerer.mjs <classic|quorum|raw> <url> <namespace>`. Uses the broker
// library on command queues of the given type, or bare amqplib. Prints "ready" once it consumes.
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { type CommandQueueType, createBroker, CommandHandler } from '@switchboard/broker';
import { contractsHandledBy, GetJobCommand, type GetJobReply, getJobV1 } from '@switchboard/contracts';
import { createLogger } from '@switchboard/platform';
// eslint-disable-next-line no-restricted-imports -- the floor is bare amqplib
import { connect } from 'amqplib';

const PREFETCH = 50;
const [kind, url = '', namespace = ''] = process.argv.slice(2);

const OTHERS = contractsHandledBy('jobs').flatMap(({ name }) => (name === getJobV1.name ? [] : [name]));

@Controller()
class JobsController {
  @CommandHandler(getJobV1)
  getJob(@Payload() _body: GetJobCommand): GetJobReply {
    return getJobV1.sample.response;
  }

  /** Handles all other patterns, because a service does not start without a handler for every pattern that it owns. */
  @MessagePattern(OTHERS)
  takeOthers(): void {}
}

@Module({ controllers: [JobsController] })
class JobsModule {}

async function answerWithOurs(commandQueues: CommandQueueType): Promise<void> {
  const broker = createBroker({
    service: 'jobs',
    url,
    namespace,
    logger: createLogger('jobs', 'error'),
    prefetch: PREFETCH,
    commandQueues,
  });
  const app = await NestFactory.createMicroservice(JobsModule, { strategy: broker.transport, logger: false });
  await app.listen();
}

/** Replies with plain amqplib code for comparison: reply and ack in one tick, without Nagle's delay on the socket. */
async function answerRaw(): Promise<void> {
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createChannel();
  const queue = `${namespace}.raw`;
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'classic' } });
  await channel.prefetch(PREFETCH);
  await channel.consume(queue, (message) => {
    if (!message) return;
    JSON.parse(message.content.toString());
    const { replyTo, correlationId } = message.properties;
    channel.sendToQueue(String(replyTo), Buffer.from(JSON.stringify(getJobV1.sample.response)), { correlationId });
    channel.ack(message);
  });
}

await (kind === 'classic' || kind === 'quorum' ? answerWithOurs(kind) : answerRaw());
process.stdout.write('ready\n');
