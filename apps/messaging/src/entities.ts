import { messageEntities } from '@switchboard/database';
import { NumberHistory } from './app-data/number-history.entity';
import { Block } from './blocks/block.entity';
import { BlockRead } from './blocks/block-read.entity';
import { MessageChange } from './callbacks/message-change.entity';
import { PendingStatus } from './callbacks/pending-status.entity';
import { UnroutableCallback } from './callbacks/unroutable-callback.entity';
import { Contact } from './contacts/contact.entity';
import { ContactLabel } from './labels/contact-label.entity';
import { Label } from './labels/label.entity';
import { Activity } from './conversations/activity.entity';
import { Conversation } from './conversations/conversation.entity';
import { MessageHour } from './statistics/message-hour.entity';
import { MessageHoursBackfill } from './statistics/message-hours-backfill.entity';
import { PriceHour } from './statistics/price-hour.entity';
import { PriceHoursBackfill } from './statistics/price-hours-backfill.entity';
import { ListTotal } from './list-totals/list-total.entity';
import { Media } from './media/media.entity';
import { MediaFile } from './media-files/media-file.entity';
import { Message } from './messages/message.entity';
import { ServiceWindow } from './messages/service-window.entity';
import { UploadLease } from './sends/upload-lease.entity';
import { UploadedMedia } from './sends/uploaded-media.entity';
import { Note } from './notes/note.entity';
import { AccountNotice } from './notices/account-notice.entity';
import { BusinessNumber } from './numbers/number.entity';
import { NumberChange } from './numbers/number-change.entity';
import { Rate } from './rates/rate.entity';
import { ResultDayRow } from './results/result-day.entity';
import { ResultProgress } from './results/result-progress.entity';
import { SpendCap } from './spend/spend-cap.entity';
import { SpendReservation } from './spend/spend-reservation.entity';
import { SpendTotal } from './spend/spend-total.entity';
import { UsageDay } from './usage/usage-day.entity';
import { CallbackHeartbeat } from './callbacks/callback-heartbeat.entity';
import { AccountSettings } from './settings/account-settings.entity';

export const entities = [
  ...messageEntities,
  AccountNotice,
  AccountSettings,
  Activity,
  Block,
  BlockRead,
  BusinessNumber,
  CallbackHeartbeat,
  Contact,
  ContactLabel,
  Conversation,
  Label,
  ListTotal,
  Media,
  MediaFile,
  Message,
  MessageChange,
  MessageHour,
  MessageHoursBackfill,
  Note,
  NumberChange,
  NumberHistory,
  PendingStatus,
  PriceHour,
  PriceHoursBackfill,
  Rate,
  ResultDayRow,
  ResultProgress,
  ServiceWindow,
  SpendCap,
  SpendReservation,
  SpendTotal,
  UnroutableCallback,
  UploadedMedia,
  UploadLease,
  UsageDay,
];
