import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  DeleteEndpointReply,
  Doc,
  GetEndpointStatisticsReply,
  IsTime,
  ListEndpointsReply,
  Nested,
  SendTestEventReply,
  UpdateEndpointReply,
  WebhookEndpointRecord,
} from '@switchboard/contracts';
import { WebhooksClient } from '@switchboard/service-clients';
import { IsString } from 'class-validator';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { EndpointChangeBody, NewEndpointBody, TestEventBody } from './webhook.bodies';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { WebhookChanges } from './webhook-changes';

const FIGURE_HOURS = 24;

@Answer()
class NewWebhookEndpointAnswer {
  @Nested(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
  @Doc('Shown only once') @IsString() secret: string;
}

@Answer()
class RotatedSecret {
  @Doc('Shown only once') @IsString() secret: string;
  @Doc('Time at which the old secret expires unless you confirm earlier') @IsTime() rotationEndsAt: string;
}

@ApiTags('Webhook endpoints')
@Controller('console/v1/webhook-endpoints')
export class ConsoleWebhookEndpointsController {
  constructor(
    private readonly webhooks: WebhooksClient,
    private readonly settings: WebhookChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listWebhookEndpoints', summary: 'List webhook endpoints, oldest first' })
  @ApiAnswer(ListEndpointsReply)
  @ApiRefusals()
  async list(@SignedIn() { account }: ConsoleUser): Promise<Success<ListEndpointsReply>> {
    const { endpoints } = await this.webhooks.listEndpoints({ accountId: account.id });
    return { success: true, endpoints };
  }

  @Get('figures')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getWebhookEndpointFigures',
    summary: 'Retrieve the delivery statistics of each endpoint for the last 24 hours',
  })
  @ApiAnswer(GetEndpointStatisticsReply)
  @ApiRefusals()
  async figures(@SignedIn() { account }: ConsoleUser): Promise<Success<GetEndpointStatisticsReply>> {
    const since = new Date(Date.now() - FIGURE_HOURS * 3_600_000).toISOString();
    const { figures } = await this.webhooks.getEndpointFigures({ accountId: account.id, since });
    return { success: true, figures };
  }

  @Post()
  @Roles('admin')
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Verify a URL and create an endpoint; the response shows its signing secret only once',
  })
  @ApiBodies({ json: NewEndpointBody })
  @ApiAnswer(NewWebhookEndpointAnswer, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE', 'INVALID_LINK')
  async create(
    @SignedIn() user: ConsoleUser,
    @Body() body: NewEndpointBody,
  ): Promise<Success<NewWebhookEndpointAnswer>> {
    return { success: true, ...(await this.settings.createEndpoint(changeBy(user), body)) };
  }

  @Patch(':endpointId')
  @Roles('admin')
  @ApiOperation({
    operationId: 'changeWebhookEndpoint',
    summary: 'Update an endpoint; omitted fields are unchanged',
    description: 'A new URL or verify token must pass the verification challenge.',
  })
  @ApiBodies({ json: EndpointChangeBody })
  @ApiAnswer(UpdateEndpointReply)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE', 'INVALID_LINK', 'NOT_FOUND')
  async change(
    @SignedIn() user: ConsoleUser,
    @Param('endpointId') endpointId: string,
    @Body() change: EndpointChangeBody,
  ): Promise<Success<UpdateEndpointReply>> {
    return {
      success: true,
      endpoint: await this.settings.changeEndpoint(changeBy(user), requireId('ep', endpointId), change),
    };
  }

  @Delete(':endpointId')
  @Roles('admin')
  @ApiOperation({
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete an endpoint; its pending events are dropped',
  })
  @ApiAnswer(DeleteEndpointReply)
  @ApiRefusals('NOT_FOUND')
  async remove(
    @SignedIn() user: ConsoleUser,
    @Param('endpointId') endpointId: string,
  ): Promise<Success<DeleteEndpointReply>> {
    return { success: true, dropped: await this.settings.deleteEndpoint(changeBy(user), requireId('ep', endpointId)) };
  }

  @Post(':endpointId/pause')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ operationId: 'pauseWebhookEndpoint', summary: 'Pause an endpoint; its events are queued' })
  @ApiAnswer(UpdateEndpointReply)
  @ApiRefusals('NOT_FOUND')
  async pause(
    @SignedIn() user: ConsoleUser,
    @Param('endpointId') endpointId: string,
  ): Promise<Success<UpdateEndpointReply>> {
    return {
      success: true,
      endpoint: await this.settings.switchEndpoint(changeBy(user), requireId('ep', endpointId), 'paused'),
    };
  }

  @Post(':endpointId/enable')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ operationId: 'enableWebhookEndpoint', summary: 'Resume a paused endpoint' })
  @ApiAnswer(UpdateEndpointReply)
  @ApiRefusals('NOT_FOUND')
  async enable(
    @SignedIn() user: ConsoleUser,
    @Param('endpointId') endpointId: string,
  ): Promise<Success<UpdateEndpointReply>> {
    return {
      success: true,
      endpoint: await this.settings.switchEndpoint(changeBy(user), requireId('ep', endpointId), 'enabled'),
    };
  }

  @Post(':endpointId/rotate-secret')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the signing secret; the response shows the new one only once',
    description:
      'For 24 hours, or until you confirm, `webhook-signature` carries a signature for each secret. `X-Service-Signature` uses the old secret until you confirm; `X-Service-Signature-Next` uses the new one.',
  })
  @ApiAnswer(RotatedSecret)
  @ApiRefusals('NOT_FOUND')
  async rotateSecret(
    @SignedIn() user: ConsoleUser,
    @Param('endpointId') endpointId: string,
  ): Promise<Success<RotatedSecret>> {
    return { success: true, ...(await this.settings.rotateSecret(changeBy(user), requireId('ep', endpointId))) };
  }

  @Post(':endpointId/confirm-rotation')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'confirmWebhookRotation',
    summary: 'Confirm the rotation: the service then signs with the new secret only',
  })
  @ApiAnswer(UpdateEndpointReply)
  @ApiRefusals('NOT_FOUND')
  async confirmRotation(
    @SignedIn() user: ConsoleUser,
    @Param('endpointId') endpointId: string,
  ): Promise<Success<UpdateEndpointReply>> {
    return {
      success: true,
      endpoint: await this.settings.confirmRotation(changeBy(user), requireId('ep', endpointId)),
    };
  }

  @Post(':endpointId/test-events')
  @Roles('admin')
  @ApiOperation({
    operationId: 'sendTestEvent',
    summary: 'Send a test event; it is signed, delivered and logged like any other',
  })
  @ApiBodies({ json: TestEventBody })
  @ApiAnswer(SendTestEventReply, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'NOT_FOUND')
  async sendTestEvent(
    @SignedIn() user: ConsoleUser,
    @Param('endpointId') endpointId: string,
    @Body() { kind }: TestEventBody,
  ): Promise<Success<SendTestEventReply>> {
    return {
      success: true,
      eventId: await this.settings.sendTestEvent(changeBy(user), requireId('ep', endpointId), kind),
    };
  }
}
