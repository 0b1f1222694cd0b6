import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, SecretBox } from '@switchboard/platform';
import {
  type CreateTemplateCall,
  type EditTemplateCall,
  type ListTemplatesCall,
  type TemplatePage,
  type UpstreamClient,
  uploadResumably,
} from '@switchboard/upstream';
import type { TemplatesConfig } from './config';
import type { Json } from '@switchboard/template-rules';
import { HeaderSamples } from './drafts/header-samples.service';
import { type SealedAccount, tokenPlace } from './sync/token-place';
import { UPSTREAM } from './upstream.token';

/** What an account stands for in a call. */
type OfAccount = 'wabaId' | 'accessToken';
type NewTemplate = CreateTemplateCall['template'] & { components: Json[] };
type TemplateChange = Omit<EditTemplateCall, OfAccount> & { edit: { components?: Json[] } };

/** The templates of a business at the upstream platform, by the token that is stored sealed with it. */
@Injectable()
export class UpstreamTemplates {
  constructor(
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    private readonly box: SecretBox,
    private readonly samples: HeaderSamples,
    @Inject(CONFIG) private readonly config: TemplatesConfig,
  ) {}

  /** One page. @throws UpstreamError; Error when the token cannot be opened */
  async list(account: SealedAccount, options: Omit<ListTemplatesCall, OfAccount>): Promise<TemplatePage> {
    return this.upstream.listTemplates({ ...options, wabaId: account.wabaId, accessToken: this.tokenOf(account) });
  }

  /**
   * Submits a template, with the sample of its header.
   * @returns the id of the new template @throws as `edit` does
   */
  async create(account: SealedAccount, template: NewTemplate): Promise<string> {
    const { wabaId } = account;
    const accessToken = this.tokenOf(account);
    const components = await this.withHandle(account, template.components);
    const { id } = await this.upstream.createTemplate({
      wabaId,
      accessToken,
      template: { ...template, components },
    });
    return id;
  }

  /**
   * Submits a change, with the sample of the header.
   * @throws as `list` does; SampleGoneError when the sample is no longer there: nothing was submitted
   */
  async edit(account: SealedAccount, { templateId, edit }: TemplateChange): Promise<void> {
    const components = edit.components && (await this.withHandle(account, edit.components));
    const accessToken = this.tokenOf(account);
    await this.upstream.editTemplate({ templateId, accessToken, edit: { ...edit, components } });
  }

  /**
   * The components with the platform's handle in place of our sample. It is uploaded for each attempt: a handle is kept
   * nowhere, so none can be too old, and one that nothing was made of harms nobody (ADR 47).
   */
  private async withHandle(account: SealedAccount, components: readonly Json[]): Promise<Json[]> {
    const sample = await this.samples.openSampleOf(account.accountId, components);
    if (!sample) return [...components];
    const { mimeType, bytes, open } = sample;
    const timeoutMs = this.config.SAMPLE_UPLOAD_TIMEOUT_MS;
    const handle = await uploadResumably(this.upstream, {
      accessToken: this.tokenOf(account),
      // The platform needs no more of the name than its end, and the rest is its owner's.
      filename: `sample.${mimeType.split('/')[1]}`,
      mimeType,
      bytes,
      open,
      timeoutMs,
      // The whole, whatever breaks off in between: the lease of the draft counts on it.
      signal: AbortSignal.timeout(timeoutMs),
    });
    return components.map((component) =>
      component.type === 'HEADER' ? { ...component, example: { header_handle: [handle] } } : component,
    );
  }

  private tokenOf(account: SealedAccount): string {
    return this.box.open(account.sealedAccessToken, tokenPlace(account));
  }
}
