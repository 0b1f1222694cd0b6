import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  AddHeaderSampleCommand,
  addHeaderSampleV1,
  CountHeaderSamplesCommand,
  type CountHeaderSamplesReply,
  countHeaderSamplesV1,
  GetHeaderSampleCommand,
  getHeaderSampleV1,
  type HeaderSampleReply,
} from '@switchboard/contracts';
import { HeaderSamples } from './header-samples.service';

@Controller()
export class HeaderSamplesController {
  constructor(private readonly samples: HeaderSamples) {}

  @CommandHandler(addHeaderSampleV1)
  async add(@Payload() command: AddHeaderSampleCommand): Promise<HeaderSampleReply> {
    return { sample: await this.samples.addSample(command) };
  }

  @CommandHandler(countHeaderSamplesV1)
  async count(@Payload() { accountId }: CountHeaderSamplesCommand): Promise<CountHeaderSamplesReply> {
    return { samples: await this.samples.countSamples(accountId) };
  }

  @CommandHandler(getHeaderSampleV1)
  async get(@Payload() { accountId, sampleId }: GetHeaderSampleCommand): Promise<HeaderSampleReply> {
    return { sample: await this.samples.getSample(accountId, sampleId) };
  }
}
