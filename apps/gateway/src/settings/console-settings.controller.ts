import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  BodySchema,
  DEFAULT_OPT_IN_WORDS,
  DEFAULT_OPT_OUT_WORDS,
  Doc,
  IsNotBlank,
  IsStorableText,
  MAX_EVENT_DAYS,
  MAX_RETENTION_DAYS,
  Nested,
  OrNull,
  WINDOW_POLICIES,
  type WindowPolicy,
} from '@switchboard/contracts';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  MinLength,
  Min,
} from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { orDefault } from '../http/or-default';
import { SettingsChanges, type SettingsOfAccount } from './settings-changes';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';

const WINDOW =
  'Handling of messages other than templates outside the 24-hour window: reject them (`enforce`), or let the upstream platform decide (`upstream`)';
const AS_A_WHOLE =
  'Words that must be the entire message, ignoring case and surrounding punctuation and emoji. Such a message';
const OPT_OUT = `${AS_A_WHOLE} opts its sender out of marketing`;
const OPT_IN = `${AS_A_WHOLE} opts its sender in again`;
const MESSAGES =
  'Retention of messages in days; their files are deleted with them, and bulk jobs are retained equally long after their end';
const MEDIA = 'Retention of files in days';
const EVENTS = 'Retention of webhook events in days; at most that of the installation';
const MARKETING =
  'Whether marketing templates are sent through the Marketing Messages API of the platform, from numbers whose business is onboarded to it';
const MOST_WORDS = 100;

class ShownSettings {
  @Doc(WINDOW) @IsIn(WINDOW_POLICIES) windowPolicy: WindowPolicy;
  @Doc(`${OPT_OUT}; null for the default list`) @OrNull() @IsArray() @IsString({ each: true }) optOutWords:
    | string[]
    | null;
  @Doc(`${OPT_IN}; null for the default list`) @OrNull() @IsArray() @IsString({ each: true }) optInWords:
    | string[]
    | null;
  @Doc('Default list of the service') @IsArray() @IsString({ each: true }) defaultOptOutWords: string[];
  @Doc('Default list of the service') @IsArray() @IsString({ each: true }) defaultOptInWords: string[];
  @Doc(`${MESSAGES}; null for no limit`) @OrNull() @IsInt() messageDays: number | null;
  @Doc(`${MEDIA}; null for no limit other than that of their messages`) @OrNull() @IsInt() mediaDays: number | null;
  @Doc(`${EVENTS}; null for the retention of the installation`) @OrNull() @IsInt() eventDays: number | null;
  @Doc('Effective retention of webhook events, in days') @IsInt() effectiveEventDays: number;
  @Doc(MARKETING) @IsBoolean() marketingEndpoint: boolean;
}

@Answer({ name: 'Settings' })
class SettingsAnswer {
  @Nested(() => ShownSettings) settings: ShownSettings;
}

/** Change with options to restore default lists, since null means absent in a body. */
@BodySchema({ name: 'SettingsChange', example: () => ({ windowPolicy: 'enforce', optOutWords: ['STOP', 'BASTA'] }) })
class SettingsBody {
  @Doc(WINDOW) @IsOptional() @IsIn(WINDOW_POLICIES) windowPolicy?: WindowPolicy;
  @Doc(OPT_OUT)
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_WORDS)
  @IsString({ each: true })
  @IsStorableText({ each: true })
  @IsNotBlank({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(100, { each: true })
  optOutWords?: string[];
  @Doc('True: restore the default list; omit `optOutWords`')
  @IsOptional()
  @IsBoolean()
  usualOptOutWords?: boolean;
  @Doc(OPT_IN)
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_WORDS)
  @IsString({ each: true })
  @IsStorableText({ each: true })
  @IsNotBlank({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(100, { each: true })
  optInWords?: string[];
  @Doc('True: restore the default list; omit `optInWords`')
  @IsOptional()
  @IsBoolean()
  usualOptInWords?: boolean;
  @Doc(MARKETING) @IsOptional() @IsBoolean() marketingEndpoint?: boolean;
}

@BodySchema({ name: 'RetentionChange', example: () => ({ messageDays: 365, mediaDays: 90 }) })
class RetentionBody {
  @Doc(MESSAGES) @IsOptional() @IsInt() @Min(1) @Max(MAX_RETENTION_DAYS) messageDays?: number;
  @Doc('True: no limit; omit `messageDays`') @IsOptional() @IsBoolean() messagesForever?: boolean;
  @Doc(MEDIA) @IsOptional() @IsInt() @Min(1) @Max(MAX_RETENTION_DAYS) mediaDays?: number;
  @Doc('True: no limit; omit `mediaDays`') @IsOptional() @IsBoolean() mediaForever?: boolean;
  @Doc(EVENTS) @IsOptional() @IsInt() @Min(1) @Max(MAX_EVENT_DAYS) eventDays?: number;
  @Doc('True: same retention as the installation; omit `eventDays`')
  @IsOptional()
  @IsBoolean()
  eventsLikeLog?: boolean;
}

@ApiTags('Account')
@Controller('console/v1/settings')
export class ConsoleSettingsController {
  constructor(private readonly settings: SettingsChanges) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getSettings',
    summary: 'Retrieve the messaging and retention settings of the account',
  })
  @ApiAnswer(SettingsAnswer)
  @ApiRefusals()
  async show(@SignedIn() { account }: ConsoleUser): Promise<Success<SettingsAnswer>> {
    return { success: true, settings: shown(await this.settings.show(account.id)) };
  }

  @Patch()
  @Roles('admin')
  @ApiOperation({
    operationId: 'changeSettings',
    summary:
      'Update the window policy, opt-out and opt-in words, or the marketing endpoint; omitted fields are unchanged',
  })
  @ApiBodies({ json: SettingsBody })
  @ApiAnswer(SettingsAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE', 'TEXT_TOO_LONG')
  async change(
    @SignedIn() user: ConsoleUser,
    @Body() {
      windowPolicy,
      optOutWords,
      usualOptOutWords,
      optInWords,
      usualOptInWords,
      marketingEndpoint,
    }: SettingsBody,
  ): Promise<Success<SettingsAnswer>> {
    const change = {
      windowPolicy,
      optOutWords: orDefault({ optOutWords }, { usualOptOutWords }),
      optInWords: orDefault({ optInWords }, { usualOptInWords }),
      marketingEndpoint,
    };
    // Read before the change, since a failure afterwards would look like a rejected change.
    const events = await this.settings.eventRetention(user.account.id);
    const settings = await this.settings.change(changeBy(user), change);
    return { success: true, settings: shown({ settings, events }) };
  }

  @Patch('retention')
  @Roles('owner')
  @ApiOperation({
    operationId: 'changeRetention',
    summary: 'Update the retention of messages, files and webhook events; omitted fields are unchanged',
    description: 'Older data is deleted within an hour and cannot be recovered.',
  })
  @ApiBodies({ json: RetentionBody })
  @ApiAnswer(SettingsAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE')
  async changeRetention(
    @SignedIn() user: ConsoleUser,
    @Body() { messageDays, messagesForever, mediaDays, mediaForever, eventDays, eventsLikeLog }: RetentionBody,
  ): Promise<Success<SettingsAnswer>> {
    const changed = await this.settings.changeRetention(changeBy(user), {
      messageDays: orDefault({ messageDays }, { messagesForever }),
      mediaDays: orDefault({ mediaDays }, { mediaForever }),
      eventDays: orDefault({ eventDays }, { eventsLikeLog }),
    });
    return { success: true, settings: shown(changed) };
  }
}

function shown({ settings, events }: SettingsOfAccount): ShownSettings {
  return {
    ...settings,
    marketingEndpoint: settings.marketingEndpoint ?? false,
    defaultOptOutWords: DEFAULT_OPT_OUT_WORDS,
    defaultOptInWords: DEFAULT_OPT_IN_WORDS,
    eventDays: events.eventDays,
    effectiveEventDays: events.effectiveDays,
  };
}
