import { IsString } from 'class-validator';
import { task } from '../message-contract';

/** How long to wait before a received media object is asked for again, in seconds; the last delay repeats. */
export const MEDIA_RETRY_DELAYS_SECONDS = [10, 60, 600, 3600] as const;

/** Points at a row of messaging's media: the row, not the message, is the truth. */
export class FetchMediaV1 {
  @IsString() accountId: string;
  @IsString() mediaId: string;
}

export const fetchMediaV1 = task({
  name: 'messaging.fetch-media.v1',
  owner: 'messaging',
  description: 'Brings the bytes of a received media object from the upstream platform into the blob store, when that is not done yet.',
  body: FetchMediaV1,
  delaysSeconds: MEDIA_RETRY_DELAYS_SECONDS,
  sample: { accountId: 'acc_01jd0000000000000000000000', mediaId: 'med_01jd0000000000000000000000' },
});
