import { Inject, Injectable } from '@nestjs/common';
import { type TemplateContent, type TextContent, normaliseLanguage } from '@switchboard/contracts';
import { CONFIG, unseal } from '@switchboard/platform';
import { type SentMessage, type UpstreamClient, UpstreamError, type UpstreamSendBody, type UpstreamTemplateParameter } from '@switchboard/upstream';
import type { MessagingConfig } from '../config';
import { UPSTREAM } from '../upstream.token';

/** A message as it is stored, with the number it leaves from. */
export interface OutgoingSend {
  id: string;
  phoneNumberId: string;
  sealedAccessToken: string;
  recipient: string;
  type: string;
  content: object;
}

/** Sends stored messages upstream; the first send and the reconciler's repetition are the same call. */
@Injectable()
export class UpstreamSender {
  constructor(
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    @Inject(CONFIG) private readonly config: MessagingConfig,
  ) {}

  /**
   * @param signal ends the call early; absent, only the client's own deadline does
   * @returns what the upstream platform answered, or the error that says what is known of the message
   */
  async send(message: OutgoingSend, signal?: AbortSignal): Promise<SentMessage | UpstreamError> {
    try {
      const accessToken = this.accessTokenOf(message);
      return await this.upstream.sendMessage({ phoneNumberId: message.phoneNumberId, accessToken, body: toUpstreamBody(message), signal });
    } catch (error) {
      if (error instanceof UpstreamError) return error;
      throw error;
    }
  }

  /** A token that was sealed with another key cannot be used, and nothing is sent. */
  private accessTokenOf({ sealedAccessToken }: OutgoingSend): string {
    try {
      return unseal(sealedAccessToken, this.config.ENCRYPTION_KEY);
    } catch (cause) {
      const title = "The number's credentials cannot be read";
      throw new UpstreamError({ kind: 'unavailable', title, retriable: false, category: 'auth', answer: 'UPSTREAM_ERROR' }, { cause });
    }
  }
}

/** The body of a send in the upstream's wire format, with our id, which every callback about it echoes. */
export function toUpstreamBody({ id, recipient, type, content }: OutgoingSend): UpstreamSendBody {
  const common = { to: recipient, biz_opaque_callback_data: id };
  if (type === 'text') return { ...common, type, text: { body: (content as TextContent).body } };
  if (type === 'template') return { ...common, type, template: toUpstreamTemplate(content as TemplateContent) };
  throw new Error(`messages of type ${type} cannot be sent`);
}

function toUpstreamTemplate({ name, language, components = [] }: TemplateContent): UpstreamSendBody['template'] {
  const filled = components.filter(({ parameters = [] }) => parameters.length > 0);
  return {
    name,
    language: { code: normaliseLanguage(language.code) },
    ...(filled.length > 0 && { components: filled.map(toUpstreamComponent) }),
  };
}

function toUpstreamComponent({ type, sub_type, index, parameters = [] }: NonNullable<TemplateContent['components']>[number]) {
  return {
    type: type.toLowerCase(),
    ...(sub_type !== undefined && { sub_type: sub_type.toLowerCase() }),
    ...(index !== undefined && { index }),
    parameters: parameters.map(({ type: kind, text }): UpstreamTemplateParameter => ({ type: kind, text })),
  };
}
