import {
  Answer,
  BodySchema,
  Doc,
  ListOf,
  listMediaFilesV1,
  getMediaFileV1,
  MediaFileRecord,
  Nested,
} from '@switchboard/contracts';
import { IsString } from 'class-validator';
import { Pagination, paginationOf } from '../pagination/pagination';

const SAMPLE = getMediaFileV1.sample.response;

/** Form of an upload (spec §3.4.8). */
@BodySchema({ example: () => ({ file: 'summer-sale.jpg' }) })
export class MediaUpload {
  @Doc(
    'image: jpeg, png, at most 5 MB; audio: aac, amr, mpeg, mp4, ogg (opus), 16 MB; video: mp4, 3gpp, 16 MB; document: pdf, txt, csv, doc, docx, xls, xlsx, ppt, pptx, 100 MB; sticker: webp, 100 KB, or 500 KB if animated',
    { contentMediaType: 'application/octet-stream', format: 'binary' },
  )
  @IsString()
  file: string;
}

@Answer({ example: () => ({ success: true, ...SAMPLE }) })
export class MediaFileAnswer extends MediaFileRecord {}

@Answer({ example: () => ({ success: true, id: SAMPLE.id }) })
export class MediaFileDeleted {
  @IsString() id: string;
}

@Answer({
  example: () => {
    const { response } = listMediaFilesV1.sample;
    return { success: true, media: response.media, pagination: paginationOf({ page: 1, limit: 20 }, response) };
  },
})
export class MediaFileList {
  @ListOf(() => MediaFileRecord) media: MediaFileRecord[];
  @Nested(() => Pagination) pagination: Pagination;
}
