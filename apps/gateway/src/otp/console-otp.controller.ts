import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AppError,
  BodySchema,
  Doc,
  MAX_OTP_FIGURE_DAYS,
  OtpFiguresReply,
  OtpSettingsChange,
  OtpSettingsReply,
} from '@switchboard/contracts';
import { OtpClient } from '@switchboard/service-clients';
import { IsBoolean, IsOptional } from 'class-validator';
import { IsWholeNumber } from '../pagination/query-rules';
import { OtpChanges } from './otp-changes';
import { ApiAnswer, ApiBodies, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';

const DEFAULT_DAYS = 30;

/** Change with an option to clear the list of countries, since null means absent in a body. */
@BodySchema({ name: 'OtpSettingsChange', example: () => ({ countries: ['IN'], sendsPerPrefix: 100 }) })
class OtpSettingsBody extends OtpSettingsChange {
  @Doc('True: allow all countries again; omit `countries`') @IsOptional() @IsBoolean() allCountries?: boolean;
}

class FiguresQuery {
  @IsOptional() @IsWholeNumber({ least: 1, most: MAX_OTP_FIGURE_DAYS }) days = DEFAULT_DAYS;
}

@ApiTags('One-time passwords')
@Controller('console/v1/otp')
export class ConsoleOtpController {
  constructor(
    private readonly otp: OtpClient,
    private readonly settings: OtpChanges,
  ) {}

  @Get('settings')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getOtpSettings', summary: 'Retrieve the settings of one-time passwords' })
  @ApiAnswer(OtpSettingsReply)
  @ApiRefusals()
  async show(@SignedIn() { account }: ConsoleUser): Promise<Success<OtpSettingsReply>> {
    const { settings } = await this.otp.getSettings({ accountId: account.id });
    return { success: true, settings };
  }

  @Patch('settings')
  @Roles('owner')
  @ApiOperation({
    operationId: 'changeOtpSettings',
    summary: 'Update the settings of one-time passwords; omitted fields are unchanged',
  })
  @ApiBodies({ json: OtpSettingsBody })
  @ApiAnswer(OtpSettingsReply)
  @ApiRefusals(
    'MISSING_FIELD',
    'INVALID_VALUE',
    'TEXT_TOO_LONG',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_APPROVED',
    'TEMPLATE_PARAMS_MISMATCH',
  )
  async change(
    @SignedIn() user: ConsoleUser,
    @Body() { allCountries, ...change }: OtpSettingsBody,
  ): Promise<Success<OtpSettingsReply>> {
    if (allCountries && change.countries)
      throw new AppError('INVALID_PARAMETER', { message: 'countries and allCountries cannot both be given' });
    return {
      success: true,
      settings: await this.settings.change(changeBy(user), { ...change, ...(allCountries && { countries: null }) }),
    };
  }

  @Get('figures')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getOtpFigures',
    summary: 'Retrieve the number of one-time passwords sent, failed and verified',
  })
  @ApiFilter(
    'days',
    { type: 'integer', minimum: 1, maximum: MAX_OTP_FIGURE_DAYS, default: DEFAULT_DAYS },
    'Number of days up to today, in UTC',
  )
  @ApiAnswer(OtpFiguresReply)
  @ApiRefusals()
  async figures(
    @SignedIn() { account }: ConsoleUser,
    @Query() { days }: FiguresQuery,
  ): Promise<Success<OtpFiguresReply>> {
    return {
      success: true,
      ...(await this.otp.getFigures({ accountId: account.id, days })),
    };
  }
}
