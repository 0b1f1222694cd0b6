import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  contractsHandledBy,
  getJobV1,
  type GetJobReply,
  GetJobCommand,
  verifyCodeV1,
  type VerifyCodeReply,
  VerifyCodeCommand,
} from '@switchboard/contracts';
import { deleteNamespace, silentLogger, testBrokerOptions } from '@switchboard/testing';
import { createBroker, CommandHandler, TopologyMismatchError } from '../src/index';
import { openRawChannel } from './support/raw-channel';
import { startWebhooks } from './support/webhooks-service';

@Controller()
class JobsController {
  @CommandHandler(getJobV1)
  getJob(@Payload() _body: GetJobCommand): GetJobReply {
    return getJobV1.sample.response;
  }
}

class OtherJobsController {}
for (const { name } of contractsHandledBy('jobs').filter((contract) => contract !== getJobV1)) {
  const descriptor = { value: () => ({}), writable: true, configurable: true };
  Object.defineProperty(OtherJobsController.prototype, name, descriptor);
  MessagePattern(name)(OtherJobsController.prototype, name, descriptor);
}
Controller()(OtherJobsController);

@Controller()
class SecondJobsController extends JobsController {
  @CommandHandler(getJobV1)
  override getJob(@Payload() _body: GetJobCommand): GetJobReply {
    return getJobV1.sample.response;
  }
}

@Controller()
class OtpController {
  @CommandHandler(verifyCodeV1)
  verify(@Payload() _body: VerifyCodeCommand): VerifyCodeReply {
    return verifyCodeV1.sample.response;
  }
}

describe('service startup', () => {
  const options = testBrokerOptions();
  afterAll(() => deleteNamespace(options.namespace));

  async function startJobs(...controllers: (new () => object)[]): Promise<void> {
    @Module({ controllers: [...controllers, OtherJobsController] })
    class JobsModule {}
    const broker = createBroker({ service: 'jobs', logger: silentLogger, ...options });
    const app = await NestFactory.createMicroservice(JobsModule, { strategy: broker.transport, logger: false });
    try {
      await app.listen();
      broker.checkReady();
    } finally {
      await app.close();
      await broker.close();
    }
  }

  it('succeeds with exactly one handler for each message', async () => {
    await expect(startJobs(JobsController)).resolves.toBeUndefined();
  });

  it('fails when a message has no handler, naming the message', async () => {
    await expect(startJobs()).rejects.toThrow('jobs cannot start: jobs.get-job.v1 has no handler');
  });

  it('fails with two handlers for one message', async () => {
    await expect(startJobs(JobsController, SecondJobsController)).rejects.toThrow(
      'jobs cannot start: jobs.get-job.v1 has 2 handlers',
    );
  });

  it("fails with a handler for another service's message", async () => {
    await expect(startJobs(JobsController, OtpController)).rejects.toThrow(
      'jobs cannot start: otp.verify-code.v1 has a handler, but jobs neither owns nor consumes it',
    );
  });

  it('fails when a queue has other settings, naming the difference', async () => {
    const raw = await openRawChannel();
    const queue = `${options.namespace}.webhooks.messaging.message.received.v1.wait.10`;
    await raw.channel.assertQueue(queue, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-message-ttl': 9_000 },
    });
    const error = await startWebhooks(options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TopologyMismatchError);
    expect((error as Error).message).toContain(`"${queue}" exists on the broker with other settings`);
    expect((error as Error).message).toMatch(/inequivalent arg 'x-[a-z-]+'/);
    await raw.channel.deleteQueue(queue);
    await raw.close();
    await (await startWebhooks(options)).close();
  });

  it('fails when the broker rejects the login', async () => {
    const url = Object.assign(new URL(options.url), { password: 'wrong' }).href;
    const startedAt = performance.now();
    await expect(startWebhooks({ ...options, url })).rejects.toThrow(/ACCESS.REFUSED/);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
