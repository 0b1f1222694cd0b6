import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type CheckNumberCommand,
  type CheckNumberReply,
  checkNumberV1,
  type ConnectionCheck,
} from '@switchboard/contracts';
import { CONFIG, inTransit, SecretBox } from '@switchboard/platform';
import { MessagingClient, TemplatesClient } from '@switchboard/service-clients';

/** Settings of this installation that the checks need. */
export interface OwnSide {
  /** App secret at the platform, needed to read the webhook fields to which the app subscribes. */
  UPSTREAM_APP_SECRET?: string;
  /** URL under which the platform should reach the gateway. */
  PUBLIC_BASE_URL?: string;
}

/** Number to check. If credentials are given, the number need not belong to the account yet. */
export type NumberLook = Omit<CheckNumberCommand, 'sealedAccessToken' | 'sealedAppSecret' | 'callbackUrl'> & {
  accessToken?: string;
};

/** Checks, at the platform and in the services, whether numbers can send and receive. */
@Injectable()
export class NumberConnections {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly templates: TemplatesClient,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly own: OwnSide,
  ) {}

  /**
   * Checks a number at the platform and, if it belongs to the account, its template sync.
   * @throws AppError NOT_FOUND; UPSTREAM_ERROR and others if the check fails
   */
  async check({ accessToken, ...look }: NumberLook): Promise<CheckNumberReply> {
    const { UPSTREAM_APP_SECRET: appSecret, PUBLIC_BASE_URL: baseUrl } = this.own;
    const seal = (name: 'sealedAccessToken' | 'sealedAppSecret', secret: string): string =>
      this.box.seal(secret, inTransit(checkNumberV1, name, look.accountId));
    const reply = await this.messaging.checkNumber({
      ...look,
      ...(accessToken !== undefined && { sealedAccessToken: seal('sealedAccessToken', accessToken) }),
      ...(appSecret !== undefined && { sealedAppSecret: seal('sealedAppSecret', appSecret) }),
      ...(baseUrl !== undefined && { callbackUrl: `${baseUrl.replace(/\/$/, '')}/callbacks/upstream` }),
    });
    if (accessToken !== undefined) return reply;
    return { ...reply, checks: [...reply.checks, await this.checkTemplates(look.accountId, reply.wabaId)] };
  }

  private async checkTemplates(accountId: string, wabaId: string): Promise<ConnectionCheck> {
    try {
      const { businesses } = await this.templates.getSync({ accountId });
      return templatesCheck(businesses.find((business) => business.wabaId === wabaId));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error;
      return { check: 'templates', state: 'unknown', found: 'The templates service does not answer.', remedy: null };
    }
  }
}

type Reading = { state: string; lastReadAt: string | null; problem: string | null } | undefined;

function templatesCheck(reading: Reading): ConnectionCheck {
  const check = 'templates';
  if (reading?.state === 'failed')
    return {
      check,
      state: 'missing',
      found: `The templates could not be read: ${reading.problem ?? 'the platform failed'}.`,
      remedy: 'Mend what stands above; then have them read again (templates sync).',
    };
  if (reading?.lastReadAt)
    return { check, state: 'ok', found: `The templates were read at ${reading.lastReadAt}.`, remedy: null };
  return { check, state: 'unknown', found: 'The templates are not read yet.', remedy: 'Ask again in a minute.' };
}
