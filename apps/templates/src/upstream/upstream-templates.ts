import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, SecretBox } from '@switchboard/platform';
import {
  type CreateTemplateCall,
  type EditTemplateCall,
  type ListTemplatesCall,
  type TemplatePage,
  type UpstreamClient,
  UpstreamError,
  uploadResumably,
} from '@switchboard/upstream';
import type { TemplatesConfig } from '../config';
import { isJson, type Json } from '@switchboard/template-rules';
import { HeaderSamples, type OpenSample, sampleIdOf } from '../header-samples/header-samples.service';
import { type SealedAccount, tokenPlace } from './token-place';
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

  /** One page. @throws UpstreamError, also when the token cannot be opened: then nothing was called */
  async list(account: SealedAccount, options: Omit<ListTemplatesCall, OfAccount>): Promise<TemplatePage> {
    let accessToken: string;
    try {
      accessToken = this.tokenOf(account);
    } catch (error) {
      throw unreadableToken(error);
    }
    return this.upstream.listTemplates({ ...options, wabaId: account.wabaId, accessToken });
  }

  /**
   * Submits a template, with the samples of its headers.
   * @returns the id of the new template @throws as `edit` does
   */
  async create(account: SealedAccount, template: NewTemplate): Promise<string> {
    const { wabaId } = account;
    const accessToken = this.tokenOf(account);
    const components = await this.withHandles(account, template.components);
    const { id } = await this.upstream.createTemplate({
      wabaId,
      accessToken,
      template: { ...template, components },
    });
    return id;
  }

  /**
   * Submits a change, with the samples of its headers.
   * @throws as `list` does; SampleGoneError when a sample is no longer there: nothing was submitted
   */
  async edit(account: SealedAccount, { templateId, edit }: TemplateChange): Promise<void> {
    const components = edit.components && (await this.withHandles(account, edit.components));
    const accessToken = this.tokenOf(account);
    await this.upstream.editTemplate({ templateId, accessToken, edit: { ...edit, components } });
  }

  /**
   * The components with the platform's handles in place of our samples. They are uploaded for each attempt: a handle is
   * kept nowhere, so none can be too old, and one that nothing was made of harms nobody (ADR 23).
   */
  private async withHandles(account: SealedAccount, components: readonly Json[]): Promise<Json[]> {
    const handles = new Map<string, string>();
    for (const sample of await this.samples.openSamplesOf(account.accountId, components))
      handles.set(sample.id, await this.handleOf(account, sample));
    return components.map((component) => withHandlesOf(component, handles));
  }

  private handleOf(account: SealedAccount, { mimeType, bytes, open }: OpenSample): Promise<string> {
    const timeoutMs = this.config.SAMPLE_UPLOAD_TIMEOUT_MS;
    return uploadResumably(this.upstream, {
      accessToken: this.tokenOf(account),
      // The platform needs no more of the name than its end, and the rest is its owner's.
      filename: `sample.${mimeType.split('/')[1]}`,
      mimeType,
      bytes,
      open,
      timeoutMs,
      // The whole, whatever breaks off in between: the lease of the draft counts on it for each sample.
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  private tokenOf(account: SealedAccount): string {
    return this.box.open(account.sealedAccessToken, tokenPlace(account));
  }
}

/** A header names its sample; a carousel has cards, whose headers do. */
function withHandlesOf(component: Json, handles: ReadonlyMap<string, string>): Json {
  const { type, cards } = component;
  if (type === 'CAROUSEL' && Array.isArray(cards))
    return { ...component, cards: cards.filter(isJson).map((card) => withHandlesOfCard(card, handles)) };
  const handle = type === 'HEADER' ? handles.get(sampleIdOf(component) ?? '') : undefined;
  return handle === undefined ? component : { ...component, example: { header_handle: [handle] } };
}

function withHandlesOfCard({ components }: Json, handles: ReadonlyMap<string, string>): Json {
  const parts: Json[] = Array.isArray(components) ? components.filter(isJson) : [];
  return { components: parts.map((part) => withHandlesOf(part, handles)) };
}

/** A business whose token cannot be opened fails like one that the platform refuses: it waits and shows its problem. */
function unreadableToken(error: unknown): UpstreamError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UpstreamError(
    {
      kind: 'unavailable',
      title: `The access token cannot be opened: ${reason}`,
      retriable: true,
      category: 'other',
      answer: 'UPSTREAM_ERROR',
    },
    { cause: error },
  );
}
