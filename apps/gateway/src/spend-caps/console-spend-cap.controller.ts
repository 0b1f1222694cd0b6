import { Body, Controller, Delete, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Nested, OrNull, SetSpendCapCommand, SpendCapRecord, SpendLimit } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import { Roles } from '../decorators/roles.decorator';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';

@Answer({ name: 'SpendCapAnswer' })
class SpendCapAnswer {
  @OrNull() @Nested(() => SpendCapRecord) spendCap: SpendCapRecord | null;
}

@ApiTags('Account')
@Controller('console/v1/spend-cap')
export class ConsoleSpendCapController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
  ) {}

  @Put()
  @Roles('owner')
  @ApiOperation({
    operationId: 'setSpendCap',
    summary: 'Set the spend cap of the account per calendar month (UTC)',
    description: 'Messages already delivered in the current month count towards the cap.',
  })
  @ApiBodies({ json: SpendLimit })
  @ApiAnswer(SpendCapAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE')
  set(@SignedIn() user: ConsoleUser, @Body() cap: SpendLimit): Promise<Success<SpendCapAnswer>> {
    return this.change(user, 'spend-cap.set', cap);
  }

  @Delete()
  @Roles('owner')
  @ApiOperation({ operationId: 'clearSpendCap', summary: 'Remove the spend cap of the account' })
  @ApiAnswer(SpendCapAnswer)
  @ApiRefusals()
  clear(@SignedIn() user: ConsoleUser): Promise<Success<SpendCapAnswer>> {
    return this.change(user, 'spend-cap.clear', null);
  }

  private async change(user: ConsoleUser, action: string, cap: SpendLimit | null): Promise<Success<SpendCapAnswer>> {
    const by = changeBy(user);
    const change = { action, target: by.accountId, ...(cap && { details: { ...cap } }) };
    const reply = await this.changes.requestBy(by, change, SetSpendCapCommand, { cap }, (command) =>
      this.messaging.setSpendCap(command),
    );
    return { success: true, ...reply };
  }
}
