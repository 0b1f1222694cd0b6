import { Injectable } from '@nestjs/common';
import { type SendMessageCommand, SendMessageRequest } from '@switchboard/contracts';
import type { KnownNumber } from '../numbers/number-cache';
import { TemplateCheck } from '../templates/template-check';
import { captionOf, contentOf } from './message-content';
import { ReferredMessages } from './referred-messages';
import type { NewSend } from './send-rows';

/** Judges the content of a send by what it names: a template, or other messages. */
@Injectable()
export class ContentCheck {
  constructor(
    private readonly templates: TemplateCheck,
    private readonly referred: ReferredMessages,
  ) {}

  /** @throws AppError of the template, or of a message that is referred to */
  async check(
    { accountId, message, upload }: SendMessageCommand,
    { id: numberId, wabaId }: KnownNumber,
  ): Promise<Omit<NewSend, 'mediaId'>> {
    const template =
      message instanceof SendMessageRequest && message.type === 'template' ? message.template : undefined;
    const checked = template && (await this.templates.check({ accountId, wabaId }, template));
    const { answeredId, reaction } = await this.referred.find({ accountId, numberId }, message);
    return {
      content: checked?.content ?? reaction ?? contentOf(message, upload),
      caption: captionOf(message),
      isMarketing: checked?.category === 'MARKETING',
      answeredId,
    };
  }
}
