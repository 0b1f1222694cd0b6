import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler } from '@switchboard/broker';
import {
  ConfirmRotationCommand,
  type ConfirmRotationReply,
  confirmRotationV1,
  CreateEndpointCommand,
  type CreateEndpointReply,
  createEndpointV1,
  DeleteEndpointCommand,
  type DeleteEndpointReply,
  deleteEndpointV1,
  GetEndpointStatisticsCommand,
  type GetEndpointStatisticsReply,
  getEndpointStatisticsV1,
  ListEndpointsCommand,
  type ListEndpointsReply,
  listEndpointsV1,
  RotateSecretCommand,
  type RotateSecretReply,
  rotateSecretV1,
  SetEndpointCommand,
  type SetEndpointReply,
  setEndpointV1,
  SwitchEndpointCommand,
  type SwitchEndpointReply,
  switchEndpointV1,
  UpdateEndpointCommand,
  type UpdateEndpointReply,
  updateEndpointV1,
} from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { Dispatcher } from '../deliveries/dispatcher';
import { endpointStatistics } from './endpoint-statistics';
import { EndpointLifeService } from './endpoint-life.service';
import { EndpointsService } from './endpoints.service';

@Controller()
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly lives: EndpointLifeService,
    private readonly dispatcher: Dispatcher,
    private readonly dataSource: DataSource,
  ) {}

  @CommandHandler(setEndpointV1)
  setEndpoint(@Payload() command: SetEndpointCommand, @Ctx() delivery: Delivery): Promise<SetEndpointReply> {
    return this.endpoints.setEndpoint(command, delivery.messageId);
  }

  @CommandHandler(createEndpointV1)
  createEndpoint(@Payload() command: CreateEndpointCommand, @Ctx() delivery: Delivery): Promise<CreateEndpointReply> {
    return this.endpoints.createEndpoint(command, delivery.messageId);
  }

  @CommandHandler(updateEndpointV1)
  async updateEndpoint(@Payload() command: UpdateEndpointCommand): Promise<UpdateEndpointReply> {
    return { endpoint: await this.endpoints.updateEndpoint(command) };
  }

  @CommandHandler(switchEndpointV1)
  async switchEndpoint(
    @Payload() { accountId, endpointId, enabled }: SwitchEndpointCommand,
  ): Promise<SwitchEndpointReply> {
    const endpoint = await this.endpoints.switchEndpoint(accountId, endpointId, enabled ? 'enabled' : 'paused');
    if (enabled) this.dispatcher.enqueue({ accountId, id: endpointId });
    return { endpoint };
  }

  @CommandHandler(listEndpointsV1)
  async listEndpoints(@Payload() { accountId }: ListEndpointsCommand): Promise<ListEndpointsReply> {
    return { endpoints: await this.endpoints.listEndpoints(accountId) };
  }

  @CommandHandler(getEndpointStatisticsV1)
  async getFigures(@Payload() { accountId, since }: GetEndpointStatisticsCommand): Promise<GetEndpointStatisticsReply> {
    return { figures: await endpointStatistics(this.dataSource, accountId, new Date(since)) };
  }

  @CommandHandler(rotateSecretV1)
  rotateSecret(
    @Payload() { accountId, endpointId }: RotateSecretCommand,
    @Ctx() delivery: Delivery,
  ): Promise<RotateSecretReply> {
    return this.lives.rotateSecret(accountId, endpointId, delivery.messageId);
  }

  @CommandHandler(confirmRotationV1)
  async confirmRotation(@Payload() { accountId, endpointId }: ConfirmRotationCommand): Promise<ConfirmRotationReply> {
    return { endpoint: await this.lives.confirmRotation(accountId, endpointId) };
  }

  @CommandHandler(deleteEndpointV1)
  async deleteEndpoint(@Payload() { accountId, endpointId }: DeleteEndpointCommand): Promise<DeleteEndpointReply> {
    return { dropped: await this.lives.deleteEndpoint(accountId, endpointId) };
  }
}
