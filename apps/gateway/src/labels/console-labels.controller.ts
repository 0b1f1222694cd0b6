import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  BodySchema,
  Doc,
  IsLabelName,
  LABEL_COLOURS,
  type LabelColour,
  LabelRecord,
  LABELS_MAX,
  ListOf,
  Nested,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { requireId } from '../http/path-ids';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { LabelChanges } from './label-changes';

const NAME = 'Name, unique in the account, ignoring case';

@Answer()
class LabelList {
  @ListOf(() => LabelRecord) labels: LabelRecord[];
}

@Answer()
class LabelAnswer {
  @Nested(() => LabelRecord) label: LabelRecord;
}

@Answer()
class LabelDeleted {
  @IsString() id: string;
}

@Answer()
class ContactLabels {
  @Doc('Names of all labels of the contact') @IsArray() @IsString({ each: true }) labels: string[];
}

@BodySchema({ name: 'NewLabel', example: () => ({ name: 'VIP', colour: 'green' }) })
class NewLabelBody {
  @Doc(NAME) @IsLabelName() name: string;
  @IsIn(LABEL_COLOURS) colour: LabelColour;
}

@BodySchema({ name: 'LabelChange', example: () => ({ name: 'Key customer' }) })
class LabelChangeBody {
  @Doc(NAME) @IsOptional() @IsLabelName() name?: string;
  @IsOptional() @IsIn(LABEL_COLOURS) colour?: LabelColour;
}

@BodySchema({ name: 'LabelOfContact', example: () => ({ labelId: 'lbl_01jd0000000000000000000000' }) })
class LabelOfContactBody {
  @IsString() labelId: string;
}

@ApiTags('Contacts')
@Controller('console/v1')
export class ConsoleLabelsController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: LabelChanges,
  ) {}

  @Get('labels')
  @Roles('viewer')
  @ApiOperation({ operationId: 'listLabels', summary: 'List labels by name, with the number of their contacts' })
  @ApiAnswer(LabelList)
  @ApiRefusals()
  async list(@SignedIn() { account }: ConsoleUser): Promise<Success<LabelList>> {
    return { success: true, ...(await this.messaging.listLabels({ accountId: account.id })) };
  }

  @Post('labels')
  @Roles('admin')
  @ApiOperation({
    operationId: 'createLabel',
    summary: 'Create a label for contacts and their conversations',
    description: `An account has at most ${LABELS_MAX} labels.`,
  })
  @ApiBodies({ json: NewLabelBody })
  @ApiAnswer(LabelAnswer, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE', 'TEXT_TOO_LONG')
  async create(@SignedIn() user: ConsoleUser, @Body() body: NewLabelBody): Promise<Success<LabelAnswer>> {
    return { success: true, ...(await this.changes.create(changeBy(user), body)) };
  }

  @Patch('labels/:labelId')
  @Roles('admin')
  @ApiOperation({ operationId: 'changeLabel', summary: 'Rename or recolour a label; its contacts keep it' })
  @ApiBodies({ json: LabelChangeBody })
  @ApiAnswer(LabelAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE', 'TEXT_TOO_LONG', 'NOT_FOUND')
  async change(
    @SignedIn() user: ConsoleUser,
    @Param('labelId') labelId: string,
    @Body() body: LabelChangeBody,
  ): Promise<Success<LabelAnswer>> {
    return { success: true, ...(await this.changes.change(changeBy(user), requireId('lbl', labelId), body)) };
  }

  @Delete('labels/:labelId')
  @Roles('admin')
  @ApiOperation({ operationId: 'deleteLabel', summary: 'Delete a label and remove it from all contacts' })
  @ApiAnswer(LabelDeleted)
  @ApiRefusals('NOT_FOUND')
  async remove(@SignedIn() user: ConsoleUser, @Param('labelId') labelId: string): Promise<Success<LabelDeleted>> {
    return { success: true, ...(await this.changes.remove(changeBy(user), requireId('lbl', labelId))) };
  }

  @Post('contacts/:contactId/labels/add')
  @HttpCode(200)
  @Roles('agent')
  @ApiOperation({ operationId: 'addContactLabel', summary: 'Add a label to a contact' })
  @ApiBodies({ json: LabelOfContactBody })
  @ApiAnswer(ContactLabels)
  @ApiRefusals('MISSING_FIELD', 'NOT_FOUND')
  add(
    @SignedIn() user: ConsoleUser,
    @Param('contactId') contactId: string,
    @Body() { labelId }: LabelOfContactBody,
  ): Promise<Success<ContactLabels>> {
    return this.putOn(user, { contactId, labelId, isLabelled: true });
  }

  @Post('contacts/:contactId/labels/remove')
  @HttpCode(200)
  @Roles('agent')
  @ApiOperation({ operationId: 'removeContactLabel', summary: 'Remove a label from a contact' })
  @ApiBodies({ json: LabelOfContactBody })
  @ApiAnswer(ContactLabels)
  @ApiRefusals('MISSING_FIELD', 'NOT_FOUND')
  takeOff(
    @SignedIn() user: ConsoleUser,
    @Param('contactId') contactId: string,
    @Body() { labelId }: LabelOfContactBody,
  ): Promise<Success<ContactLabels>> {
    return this.putOn(user, { contactId, labelId, isLabelled: false });
  }

  private async putOn(
    user: ConsoleUser,
    { contactId, labelId, isLabelled }: { contactId: string; labelId: string; isLabelled: boolean },
  ): Promise<Success<ContactLabels>> {
    const change = { contactId: requireId('ct', contactId), labelId: requireId('lbl', labelId), isLabelled };
    return { success: true, ...(await this.changes.putOn(changeBy(user), change)) };
  }
}
