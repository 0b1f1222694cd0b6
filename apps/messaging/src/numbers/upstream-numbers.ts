import { Inject, Injectable } from '@nestjs/common';
import { SecretBox } from '@switchboard/platform';
import {
  type BlockedPage,
  type BusinessCall,
  type ChangeBlockCall,
  type GetNumberCall,
  type ListBlockedCall,
  type MarkReadCall,
  type NumberSetupCall,
  type UploadMediaCall,
  type UpstreamClient,
  UpstreamError,
  type UpstreamNumber,
  type UpstreamUsername,
} from '@switchboard/upstream';
import { UPSTREAM } from '../upstream/upstream.tokens';
import { openToken } from './number-token';

/** A stored number with its encrypted token. */
export interface StoredNumber {
  id: string;
  phoneNumberId: string;
  sealedAccessToken: string;
}

/** Call parameters that `UpstreamNumbers` derives from the number. */
type OfNumber = 'phoneNumberId' | 'accessToken';

/** Calls the upstream platform on behalf of a number, with its stored token. */
@Injectable()
export class UpstreamNumbers {
  constructor(
    @Inject(UPSTREAM)
    private readonly upstream: Pick<
      UpstreamClient,
      | 'getNumber'
      | 'getMarketingOnboarding'
      | 'getPortfolio'
      | 'uploadMedia'
      | 'markRead'
      | 'block'
      | 'unblock'
      | 'listBlocked'
      | 'getUsername'
      | 'setUsername'
      | 'deleteUsername'
    >,
    private readonly box: SecretBox,
  ) {}

  /** @throws UpstreamError, also when the token cannot be decrypted */
  async read(number: StoredNumber, options: Omit<GetNumberCall, OfNumber>): Promise<UpstreamNumber> {
    return this.upstream.getNumber({ ...options, ...this.routeOf(number) });
  }

  /** @returns the business's onboarding status for the marketing endpoint, or null if unknown */
  async readMarketingOnboarding(
    number: StoredNumber & { wabaId: string },
    options: Omit<BusinessCall, OfNumber | 'wabaId'>,
  ): Promise<string | null> {
    try {
      const { accessToken } = this.routeOf(number);
      return (await this.upstream.getMarketingOnboarding({ ...options, accessToken, wabaId: number.wabaId })) ?? null;
    } catch (error) {
      // Ignore the error: reading the number reports problems with the token, and the stored status stays.
      if (error instanceof UpstreamError) return null;
      throw error;
    }
  }

  /** @returns the id of the portfolio that owns the number's business account, or null if unknown */
  async readPortfolio(
    number: StoredNumber & { wabaId: string },
    options: Omit<BusinessCall, OfNumber | 'wabaId'>,
  ): Promise<string | null> {
    try {
      const { accessToken } = this.routeOf(number);
      return (await this.upstream.getPortfolio({ ...options, accessToken, wabaId: number.wabaId })) ?? null;
    } catch (error) {
      // The token may lack the permission. Limits are then shared per business account instead.
      if (error instanceof UpstreamError) return null;
      throw error;
    }
  }

  /**
   * @returns the platform's id of the file
   * @throws UpstreamError, also when the token cannot be decrypted
   */
  async upload(number: StoredNumber, options: Omit<UploadMediaCall, OfNumber>): Promise<string> {
    return this.upstream.uploadMedia({ ...options, ...this.routeOf(number) });
  }

  /** @throws UpstreamError, also when the token cannot be decrypted */
  async markRead(number: StoredNumber, options: Omit<MarkReadCall, OfNumber>): Promise<void> {
    return this.upstream.markRead({ ...options, ...this.routeOf(number) });
  }

  /** @throws UpstreamError, also when the token cannot be decrypted */
  async changeBlock(
    number: StoredNumber,
    action: 'block' | 'unblock',
    options: Omit<ChangeBlockCall, OfNumber>,
  ): Promise<void> {
    return this.upstream[action]({ ...options, ...this.routeOf(number) });
  }

  /** @throws UpstreamError, also when the token cannot be decrypted */
  async listBlocked(number: StoredNumber, options: Omit<ListBlockedCall, OfNumber>): Promise<BlockedPage> {
    return this.upstream.listBlocked({ ...options, ...this.routeOf(number) });
  }

  /** @throws as `read` does */
  async readUsername(number: StoredNumber, options: Omit<NumberSetupCall, OfNumber>): Promise<UpstreamUsername> {
    return this.upstream.getUsername({ ...options, ...this.routeOf(number) });
  }

  /**
   * Sets the user name of the number, or deletes it.
   * @param username null to delete
   * @returns its status; undefined if deleted
   * @throws as `read` does
   */
  async changeUsername(
    number: StoredNumber,
    username: string | null,
    options: Omit<NumberSetupCall, OfNumber>,
  ): Promise<string | undefined> {
    const call = { ...options, ...this.routeOf(number) };
    if (username !== null) return this.upstream.setUsername({ ...call, username });
    await this.upstream.deleteUsername(call);
    return undefined;
  }

  private routeOf({ id: numberId, phoneNumberId, sealedAccessToken }: StoredNumber): {
    phoneNumberId: string;
    accessToken: string;
  } {
    return { phoneNumberId, accessToken: openToken(this.box, { numberId, sealedAccessToken }) };
  }
}
