import { AccountNoticesController } from '../account-notices/account-notices.controller';
import { BlocksController } from '../blocks/blocks.controller';
import { ContactsController } from '../contacts/contacts.controller';
import { ConversationsController } from '../conversations/conversations.controller';
import { BulkController } from '../jobs/bulk.controller';
import { DownloadsController } from '../jobs/downloads.controller';
import { ExcelController } from '../jobs/excel.controller';
import { JobsController } from '../jobs/jobs.controller';
import { MeController } from '../me/me.controller';
import { MediaController } from '../media/media.controller';
import { MessagesController } from '../messages/messages.controller';
import { ReceiptsController } from '../messages/receipts.controller';
import { SendController } from '../messages/send.controller';
import { OtpSendController } from '../otp/otp-send.controller';
import { OtpController } from '../otp/otp.controller';
import { TemplatesController } from '../templates/templates.controller';
import { UsageController } from '../usage/usage.controller';

/** Controllers of the public API, in the order of the API description. */
export const V1_CONTROLLERS = [
  MessagesController,
  ReceiptsController,
  ContactsController,
  BlocksController,
  ConversationsController,
  SendController,
  MediaController,
  MeController,
  AccountNoticesController,
  UsageController,
  TemplatesController,
  OtpController,
  OtpSendController,
  BulkController,
  ExcelController,
  DownloadsController,
  JobsController,
];
