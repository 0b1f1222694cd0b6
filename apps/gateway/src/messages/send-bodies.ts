import { Answer, BodySchema, Doc, sendMessageV1, SendUploadRequest } from '@switchboard/contracts';
import { Equals, IsString } from 'class-validator';

/** Form of a send with an uploaded file (spec §3.4.1). */
@BodySchema()
export class SendUpload extends SendUploadRequest {
  @Doc(
    'image: jpeg, png, at most 5 MB; audio: aac, amr, mpeg, mp4, ogg (opus), 16 MB; video: mp4, 3gpp, 16 MB; document: pdf, txt, csv, doc, docx, xls, xlsx, ppt, pptx, 100 MB; sticker: webp, 100 KB, or 500 KB if animated',
    { contentMediaType: 'application/octet-stream', format: 'binary' },
  )
  @IsString()
  file: string;
}

const SENT = sendMessageV1.sample.response;

@Answer({ example: () => ({ success: true, message_id: SENT.upstreamId, status: 'accepted', id: SENT.id }) })
export class SendMessageResponse {
  @Doc('ID assigned by the upstream platform; `messageId` in events') @IsString() message_id: string;
  @Equals('accepted') status: 'accepted';
  @Doc("The service's ID of the message") @IsString() id: string;
}
