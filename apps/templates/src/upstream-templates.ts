import { Inject, Injectable } from '@nestjs/common';
import { SecretBox } from '@switchboard/platform';
import type {
  CreateTemplateCall,
  EditTemplateCall,
  ListTemplatesCall,
  TemplatePage,
  UpstreamClient,
} from '@switchboard/upstream';
import { type SealedAccount, tokenPlace } from './sync/token-place';
import { UPSTREAM } from './upstream.token';

/** What an account stands for in a call. */
type OfAccount = 'wabaId' | 'accessToken';

/** The templates of a business at the upstream platform, by the token that is stored sealed with it. */
@Injectable()
export class UpstreamTemplates {
  constructor(
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    private readonly box: SecretBox,
  ) {}

  /** One page. @throws UpstreamError; Error when the token cannot be opened */
  async list(account: SealedAccount, options: Omit<ListTemplatesCall, OfAccount>): Promise<TemplatePage> {
    return this.upstream.listTemplates({ ...options, wabaId: account.wabaId, accessToken: this.tokenOf(account) });
  }

  /** @returns the id of the new template @throws as `list` does */
  async create(account: SealedAccount, template: CreateTemplateCall['template']): Promise<string> {
    return (
      await this.upstream.createTemplate({ wabaId: account.wabaId, accessToken: this.tokenOf(account), template })
    ).id;
  }

  /** @throws as `list` does */
  async edit(account: SealedAccount, change: Omit<EditTemplateCall, OfAccount>): Promise<void> {
    await this.upstream.editTemplate({ ...change, accessToken: this.tokenOf(account) });
  }

  private tokenOf(account: SealedAccount): string {
    return this.box.open(account.sealedAccessToken, tokenPlace(account));
  }
}
