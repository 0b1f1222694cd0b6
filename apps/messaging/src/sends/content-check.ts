import { Injectable } from '@nestjs/common';
import { AppError, ERRORS, isUserId, type SendMessageCommand, SendMessageRequest } from '@switchboard/contracts';
import type { KnownNumber } from '../numbers/number-cache';
import { TemplateCheck } from '../templates/template-check';
import { captionOf, contentOf } from './message-content';
import { ReferredMessages } from './referred-messages';
import type { NewSend } from './send.repository';

/** Judges the content of a send by what it names: a template, or other messages. */
@Injectable()
export class ContentCheck {
  constructor(
    private readonly templates: TemplateCheck,
    private readonly referred: ReferredMessages,
  ) {}

  /** @throws AppError of the template, PHONE_REQUIRED, or of a message that is referred to */
  async check(
    { accountId, message, upload, isSecret }: SendMessageCommand,
    { id: numberId, wabaId }: KnownNumber,
  ): Promise<Omit<NewSend, 'mediaId'>> {
    const template =
      message instanceof SendMessageRequest && message.type === 'template' ? message.template : undefined;
    const checked = template && (await this.templates.check({ accountId, wabaId }, template));
    // A code must reach a phone: the platform refuses it for a user id, whatever the phone.
    if (isUserId(message.to) && (isSecret || checked?.category === 'AUTHENTICATION'))
      throw new AppError('PHONE_REQUIRED', { details: [{ field: 'to', message: ERRORS.PHONE_REQUIRED.message }] });
    const { answeredId, reaction } = await this.referred.find({ accountId, numberId }, message);
    return {
      content: checked?.content ?? reaction ?? contentOf(message, upload),
      caption: captionOf(message),
      isMarketing: checked?.category === 'MARKETING',
      answeredId,
    };
  }
}
