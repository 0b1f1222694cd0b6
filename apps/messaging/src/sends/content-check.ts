import { Injectable } from '@nestjs/common';
import { AppError, ERRORS, isUserId, type SendMessageCommand, SendMessageRequest } from '@switchboard/contracts';
import type { KnownNumber } from '../numbers/number-cache';
import { TemplateCheck } from '../templates/template-check';
import { captionOf, contentOf } from './message-content';
import { ReferredMessages } from './referred-messages';
import type { NewSend } from './send.repository';

/** Checks the content of a send against the template or the messages to which it refers. */
@Injectable()
export class ContentCheck {
  constructor(
    private readonly templates: TemplateCheck,
    private readonly referred: ReferredMessages,
  ) {}

  /** @throws AppError for the template, PHONE_REQUIRED, or for a referenced message */
  async check(
    { accountId, message, upload, isSecret }: SendMessageCommand,
    { id: numberId, wabaId }: KnownNumber,
  ): Promise<Omit<NewSend, 'mediaId'>> {
    const template =
      message instanceof SendMessageRequest && message.type === 'template' ? message.template : undefined;
    const checked = template && (await this.templates.check({ accountId, wabaId }, template));
    // The platform delivers one-time codes to phone numbers only. It rejects a user id even if the phone number is
    // known.
    if (isUserId(message.to) && (isSecret || checked?.category === 'AUTHENTICATION'))
      throw new AppError('PHONE_REQUIRED', { details: [{ field: 'to', message: ERRORS.PHONE_REQUIRED.message }] });
    const { answeredId, reaction } = await this.referred.find({ accountId, numberId }, message);
    return {
      content: checked?.content ?? reaction ?? contentOf(message, upload),
      caption: captionOf(message),
      isMarketing: checked?.category === 'MARKETING',
      ...(checked && { category: checked.category }),
      answeredId,
    };
  }
}
