import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import {
  Answer,
  BodySchema,
  conversationPresenceV1,
  Doc,
  PRESENCE_STATES,
  type PresenceState,
} from '@switchboard/contracts';
import { IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { RateLimits } from '../rate-limits/rate-limits';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';

/** Limit per user. A page sends far less: at most one state every few seconds. */
const PRESENCE_RATE = { limit: 60, windowMs: 60_000, burst: 20 };

@BodySchema({
  name: 'Presence',
  example: () => ({ contactId: 'ct_01jd0000000000000000000000', state: 'writing' }),
})
class PresenceBody {
  @Doc('ID of the contact whose conversation is open') @IsString() @Matches(/^ct_[0-9a-z]{26}$/) contactId: string;
  @IsIn(PRESENCE_STATES) state: PresenceState;
}

@Answer()
class PresenceAnswer {
  @Doc('False if the state could not be passed on. Do not repeat it; send the next one as usual')
  @IsBoolean()
  passedOn: boolean;
}

@ApiTags('Live events')
@Controller('console/v1/presence')
export class ConsolePresenceController {
  constructor(
    private readonly broker: Broker,
    private readonly limits: RateLimits,
  ) {}

  @Post()
  @HttpCode(200)
  @Roles('agent')
  @ApiOperation({
    operationId: 'showPresence',
    summary: 'Show colleagues that you view a conversation or write in it',
    description:
      'Reaches the open dashboards of the account as the event `presence`, and is not stored. Repeat `viewing` every 20 seconds and `writing` every 3 seconds; colleagues forget a state that is not repeated.',
  })
  @ApiBodies({ json: PresenceBody })
  @ApiAnswer(PresenceAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE')
  async show(
    @SignedIn() { account, userId }: ConsoleUser,
    @Body() { contactId, state }: PresenceBody,
  ): Promise<Success<PresenceAnswer>> {
    const { refusal } = await this.limits.countAs(`presence:${userId}`, PRESENCE_RATE);
    if (refusal) throw refusal;
    const published = this.broker.publish(conversationPresenceV1, { accountId: account.id, contactId, userId, state });
    // Without the broker, colleagues see nothing until the next state.
    const passedOn = await published.then(
      () => true,
      () => false,
    );
    return { success: true, passedOn };
  }
}
