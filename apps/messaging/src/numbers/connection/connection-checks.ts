import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type CheckNumberCommand,
  type CheckNumberReply,
  checkNumberV1,
  type ConnectionCheck,
  type NumberProfile,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { inTransit, SecretBox } from '@switchboard/platform';
import {
  type UpstreamCall,
  type UpstreamClient,
  UpstreamError,
  type UpstreamNumberSetup,
  type UpstreamProfile,
  type UpstreamToken,
} from '@switchboard/upstream';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { UPSTREAM } from '../../upstream/upstream.tokens';
import { openToken } from '../number-token';
import { upstreamFailure } from '../upstream-failure';
import { type ConnectedNumber, FIND_CONNECTED, FIND_OTHER_OWNER } from './connection.queries';
import {
  addressFinding,
  badToken,
  businessFinding,
  callbacksFinding,
  fieldsFinding,
  marketingFinding,
  nameFinding,
  numberFinding,
  permissionsFinding,
  reasonOf,
  refusedToTell,
  registrationFinding,
  numberTaken,
  standingFinding,
  subscriptionFinding,
  tokenFinding,
  unknownBusiness,
  wrongAppSecret,
} from './findings';

/** Deadline for all upstream calls of one check. Shorter than the timeout of the command. */
const CHECK_MS = 25_000;
const REMEMBERED = { max: 1_000, ttl: 3_600_000 };

/** Number of checks that precede the number check: token, permissions, business account. */
const BEFORE_NUMBER = 3;

interface Look extends UpstreamCall {
  wabaId: string;
  phoneNumber: string;
  /** Upstream id of the stored number. Absent if the command contains its own token. */
  phoneNumberId?: string;
  appSecret?: string;
  callbackUrl?: string;
  profile?: NumberProfile;
}

/** Results up to the first failed check on which the later checks depend. */
interface Seen {
  checks: ConnectionCheck[];
  number?: UpstreamNumberSetup;
  isProfileSet?: boolean;
}

/** Checks the platform's settings that a number needs, and reports missing ones. */
@Injectable()
export class ConnectionChecks {
  private readonly answers = new LRUCache<string, { at: number; reply: Promise<CheckNumberReply> }>(REMEMBERED);

  constructor(
    private readonly dataSource: DataSource,
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    private readonly box: SecretBox,
  ) {}

  /** @throws AppError NOT_FOUND, UPSTREAM_ERROR, UPSTREAM_THROTTLED when the platform cannot be queried */
  async check(command: CheckNumberCommand): Promise<CheckNumberReply> {
    const { accountId, phoneNumber, maxAgeSeconds = 0 } = command;
    const [stored] = await query<ConnectedNumber>(this.dataSource, FIND_CONNECTED, [accountId, phoneNumber]);
    const isCandidate = command.sealedAccessToken !== undefined && command.wabaId !== undefined;
    if (!stored && !isCandidate)
      throw new AppError('NOT_FOUND', { message: 'not found: the account has no such number' });
    const known = stored && this.answers.get(stored.id);
    if (known && Date.now() - known.at < maxAgeSeconds * 1_000) return known.reply;
    // Concurrent callers share this check. A failed check is cached, too.
    const reply = this.look(command, stored);
    if (stored && maxAgeSeconds > 0) this.answers.set(stored.id, { at: Date.now(), reply });
    return reply;
  }

  private async look(command: CheckNumberCommand, stored: ConnectedNumber | undefined): Promise<CheckNumberReply> {
    const wabaId = command.wabaId ?? stored?.wabaId ?? '';
    const storedToken = stored && this.storedToken(stored);
    const accessToken = this.open(command, 'sealedAccessToken') ?? storedToken;
    const { number, isProfileSet, checks } = await this.seeWith(accessToken, { command, wabaId, stored });
    if (!stored) {
      const isTaken = number !== undefined && (await this.isOfAnother(command.accountId, number.id));
      return {
        wabaId,
        phoneNumberId: isTaken ? null : (number?.id ?? null),
        isAdded: false,
        isProfileSet,
        checks: isTaken ? [...checks.slice(0, BEFORE_NUMBER), numberTaken(command.phoneNumber)] : checks,
      };
    }
    const isSame = stored.wabaId === wabaId && stored.phoneNumberId === number?.id && storedToken === accessToken;
    return {
      wabaId,
      phoneNumberId: number?.id ?? stored.phoneNumberId,
      isAdded: isSame && !stored.isStopped,
      isProfileSet,
      checks: number ? [...checks, callbacksFinding(stored.lastCallbackAt)] : checks,
    };
  }

  /** @throws AppError when the platform cannot be queried */
  private async seeWith(
    accessToken: string | undefined,
    { command, wabaId, stored }: { command: CheckNumberCommand; wabaId: string; stored?: ConnectedNumber },
  ): Promise<Seen> {
    if (accessToken === undefined) return { checks: [badToken('the stored one cannot be read with ENCRYPTION_KEY')] };
    const { phoneNumber, callbackUrl, profile } = command;
    const look: Look = {
      accessToken,
      wabaId,
      phoneNumber,
      callbackUrl,
      profile,
      phoneNumberId: command.sealedAccessToken === undefined ? stored?.phoneNumberId : undefined,
      appSecret: this.open(command, 'sealedAppSecret'),
      signal: AbortSignal.timeout(CHECK_MS),
    };
    try {
      return await this.see(look);
    } catch (error) {
      throw upstreamFailure(error);
    }
  }

  /** @throws UpstreamError when the platform cannot be queried */
  private async see(look: Look): Promise<Seen> {
    const token = await this.seeToken(look);
    if ('check' in token) return { checks: [token] };
    const checks = [tokenFinding(token), permissionsFinding(token, look.wabaId)];
    if (isMissing(checks[0])) return { checks: checks.slice(0, 1) };
    if (isMissing(checks[1])) return { checks };
    const business = await answerOr(this.upstream.getBusiness(look), (error) => unknownBusiness(look.wabaId, error));
    if ('check' in business) return { checks: [...checks, business] };
    const numbers = await this.upstream.listNumbers(look);
    const number = numbers.find((one) => isLookedFor(one, look));
    const found = [...checks, businessFinding(business), numberFinding(number, look)];
    if (!number) return { checks: found };
    const [subscription, fields, marketing, isProfileSet] = await Promise.all([
      this.seeSubscription(look, token.app_id),
      this.seeFields(look, token.app_id),
      this.seeMarketing(look),
      look.profile && this.seeProfile(look, number.id),
    ]);
    return {
      number,
      isProfileSet,
      checks: [
        ...found,
        subscription,
        fields,
        addressFinding(number, look.callbackUrl),
        registrationFinding(number),
        nameFinding(number),
        standingFinding(number),
        marketing,
      ],
    };
  }

  /** Checks if another account has the number. Only operators can check numbers that their account does not have. */
  private async isOfAnother(accountId: string, phoneNumberId: string): Promise<boolean> {
    return (await query(this.dataSource, FIND_OTHER_OWNER, [accountId, phoneNumberId])).length > 0;
  }

  private async seeToken(look: Look): Promise<UpstreamToken | ConnectionCheck> {
    return answerOr(this.upstream.debugToken(look), (error) => badToken(reasonOf(error)));
  }

  private async seeSubscription(look: Look, appId: string | undefined): Promise<ConnectionCheck> {
    const apps = await answerOr(this.upstream.listSubscribedApps(look), (error) =>
      refusedToTell('subscription', error),
    );
    return Array.isArray(apps) ? subscriptionFinding(apps, appId, look.wabaId) : apps;
  }

  private async seeFields(look: Look, appId: string | undefined): Promise<ConnectionCheck> {
    const { appSecret, signal } = look;
    if (appSecret === undefined || appId === undefined) return fieldsFinding(undefined);
    const subscriptions = await answerOr(
      this.upstream.listSubscriptions({ appId, accessToken: `${appId}|${appSecret}`, signal }),
      (error) => wrongAppSecret(appId, error),
    );
    return Array.isArray(subscriptions) ? fieldsFinding(subscriptions) : subscriptions;
  }

  private async seeMarketing(look: Look): Promise<ConnectionCheck> {
    const status = await answerOr(this.upstream.getMarketingOnboarding(look), (error) =>
      refusedToTell('marketing', error),
    );
    return typeof status === 'object' ? status : marketingFinding(status);
  }

  private async seeProfile({ profile = {}, ...look }: Look, phoneNumberId: string): Promise<boolean> {
    const shown = await this.upstream.getProfile({ ...look, phoneNumberId });
    return Object.entries(profile).every(
      ([name, value]) => value === undefined || isSameValue(shown[name as keyof UpstreamProfile], value),
    );
  }

  private storedToken({ id: numberId, sealedAccessToken }: ConnectedNumber): string | undefined {
    try {
      return openToken(this.box, { numberId, sealedAccessToken });
    } catch (error) {
      if (error instanceof UpstreamError) return undefined;
      throw error;
    }
  }

  private open(command: CheckNumberCommand, name: 'sealedAccessToken' | 'sealedAppSecret'): string | undefined {
    const sealed = command[name];
    return sealed === undefined ? undefined : this.box.open(sealed, inTransit(checkNumberV1, name, command.accountId));
  }
}

const isMissing = (check: ConnectionCheck | undefined): boolean => check?.state === 'missing';

const isSameValue = (shown: unknown, wanted: unknown): boolean =>
  JSON.stringify(shown ?? (Array.isArray(wanted) ? [] : '')) === JSON.stringify(wanted);

function isLookedFor(
  { id, display_phone_number: shown = '' }: UpstreamNumberSetup,
  { phoneNumber, phoneNumberId }: Look,
): boolean {
  return phoneNumberId === undefined ? shown.replace(/[^0-9]/g, '') === phoneNumber : id === phoneNumberId;
}

/**
 * Converts a rejection to a check result. Rethrows outages, timeouts and throttling, which say nothing about the
 * number.
 */
async function answerOr<T>(
  answer: Promise<T>,
  told: (error: UpstreamError) => ConnectionCheck,
): Promise<T | ConnectionCheck> {
  try {
    return await answer;
  } catch (error) {
    if (
      error instanceof UpstreamError &&
      error.kind === 'rejected' &&
      !error.retriable &&
      error.category !== 'rate_limit'
    )
      return told(error);
    throw error;
  }
}
