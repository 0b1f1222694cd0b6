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

/** Call parameters that `UpstreamTemplates` derives from the account. */
type OfAccount = 'wabaId' | 'accessToken';
type NewTemplate = CreateTemplateCall['template'] & { components: Json[] };
type TemplateChange = Omit<EditTemplateCall, OfAccount> & { edit: { components?: Json[] } };

/** Accesses the templates of a business at the upstream platform with its stored token. */
@Injectable()
export class UpstreamTemplates {
  constructor(
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    private readonly box: SecretBox,
    private readonly samples: HeaderSamples,
    @Inject(CONFIG) private readonly config: TemplatesConfig,
  ) {}

  /**
   * Returns one page.
   * @throws UpstreamError, also when the token cannot be decrypted; no call is made then
   */
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
   * Submits a template with its header samples.
   * @returns the id of the new template
   * @throws UpstreamError; SampleGoneError, before any submission, when a sample no longer exists
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
   * Submits an edit with its header samples.
   * @throws UpstreamError; SampleGoneError, before any submission, when a sample no longer exists
   */
  async edit(account: SealedAccount, { templateId, edit }: TemplateChange): Promise<void> {
    const components = edit.components && (await this.withHandles(account, edit.components));
    const accessToken = this.tokenOf(account);
    await this.upstream.editTemplate({ templateId, accessToken, edit: { ...edit, components } });
  }

  /**
   * Replaces the ids of stored samples by handles of the platform. Each attempt uploads the samples again, because
   * handles expire. An unused handle is harmless (ADR 23).
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
      // Send only the extension: the platform needs no more, and the file's name is private to its owner.
      filename: `sample.${mimeType.split('/')[1]}`,
      mimeType,
      bytes,
      open,
      timeoutMs,
      // Limits the whole upload, including retries. The draft's lease allows this much time per sample.
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  private tokenOf(account: SealedAccount): string {
    return this.box.open(account.sealedAccessToken, tokenPlace(account));
  }
}

/** Replaces the sample in a header, or the samples in the headers of a carousel's cards. */
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

/**
 * Treats a token that cannot be decrypted like one that the platform rejects: syncs of the business wait, and its
 * status shows the problem.
 */
function unreadableToken(error: unknown): UpstreamError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UpstreamError(
    {
      kind: 'unavailable',
      title: `The access token cannot be decrypted: ${reason}`,
      retriable: true,
      category: 'other',
      answer: 'UPSTREAM_ERROR',
    },
    { cause: error },
  );
}
