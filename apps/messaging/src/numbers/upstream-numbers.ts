import { Inject, Injectable } from '@nestjs/common';
import { SecretBox } from '@switchboard/platform';
import {
  type BlockedPage,
  type BusinessCall,
  type ChangeBlockCall,
  type GetNumberCall,
  type ListBlockedCall,
  type MarkReadCall,
  type UploadMediaCall,
  type UpstreamClient,
  UpstreamError,
  type UpstreamNumber,
} from '@switchboard/upstream';
import { UPSTREAM } from '../upstream/upstream.tokens';
import { openToken } from './number-token';

/** A number as it is stored, with its token. */
export interface StoredNumber {
  id: string;
  phoneNumberId: string;
  sealedAccessToken: string;
}

/** What a number stands for in a call. */
type OfNumber = 'phoneNumberId' | 'accessToken';

/** Calls of the upstream platform in the name of a number, by the token that is stored sealed with it. */
@Injectable()
export class UpstreamNumbers {
  constructor(
    @Inject(UPSTREAM)
    private readonly upstream: Pick<
      UpstreamClient,
      'getNumber' | 'getMarketingOnboarding' | 'uploadMedia' | 'markRead' | 'block' | 'unblock' | 'listBlocked'
    >,
    private readonly box: SecretBox,
  ) {}

  /** @throws UpstreamError, also when the token cannot be opened */
  async read(number: StoredNumber, options: Omit<GetNumberCall, OfNumber>): Promise<UpstreamNumber> {
    return this.upstream.getNumber({ ...options, ...this.routeOf(number) });
  }

  /** @returns whether the number's business is onboarded to the platform's endpoint for marketing; null if untold */
  async readMarketingOnboarding(
    number: StoredNumber & { wabaId: string },
    options: Omit<BusinessCall, OfNumber | 'wabaId'>,
  ): Promise<string | null> {
    try {
      const { accessToken } = this.routeOf(number);
      return (await this.upstream.getMarketingOnboarding({ ...options, accessToken, wabaId: number.wabaId })) ?? null;
    } catch (error) {
      // Its number tells what is wrong with the token; what is stored stays.
      if (error instanceof UpstreamError) return null;
      throw error;
    }
  }

  /** @returns the platform's id of the file @throws as `read` does */
  async upload(number: StoredNumber, options: Omit<UploadMediaCall, OfNumber>): Promise<string> {
    return this.upstream.uploadMedia({ ...options, ...this.routeOf(number) });
  }

  /** @throws as `read` does */
  async markRead(number: StoredNumber, options: Omit<MarkReadCall, OfNumber>): Promise<void> {
    return this.upstream.markRead({ ...options, ...this.routeOf(number) });
  }

  /** @throws as `read` does */
  async changeBlock(
    number: StoredNumber,
    action: 'block' | 'unblock',
    options: Omit<ChangeBlockCall, OfNumber>,
  ): Promise<void> {
    return this.upstream[action]({ ...options, ...this.routeOf(number) });
  }

  /** @throws as `read` does */
  async listBlocked(number: StoredNumber, options: Omit<ListBlockedCall, OfNumber>): Promise<BlockedPage> {
    return this.upstream.listBlocked({ ...options, ...this.routeOf(number) });
  }

  private routeOf({ id: numberId, phoneNumberId, sealedAccessToken }: StoredNumber): {
    phoneNumberId: string;
    accessToken: string;
  } {
    return { phoneNumberId, accessToken: openToken(this.box, { numberId, sealedAccessToken }) };
  }
}
