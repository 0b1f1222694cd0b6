import { Injectable } from '@nestjs/common';
import { AppError, newId, parseBody, SHEET_MAX_BYTES } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import { isText, kindOf, SAMPLE_BYTES } from '../http/file-kind';
import { FormStore } from '../http/form-store';
import { ExcelFields } from './excel-fields';
import { missingFile, withFile } from '../http/missing-file';

const FIELD = 'customerExcel';
const DISCARD_FAILED = 'sheet.delete-failed';
const MIB = 1_048_576;
/** Detected types that may be a spreadsheet: text, archives, and Microsoft's older container format. */
const POSSIBLE_KINDS = /^text\/plain|zip|cfb|spreadsheetml|ms-excel|opendocument|octet-stream/;
/** Text formats other than CSV. Any other text may be CSV, even if its header resembles an image signature. */
const OTHER_TEXT = /^(?:\u00EF\u00BB\u00BF)?\s*(?:<|%PDF|\{\\rtf)/;

export interface ReceivedSheet {
  fields: ExcelFields;
  blobKey: string;
  /** SHA-256 of the content, in hex. */
  sha256: string;
}

/** Receives the spreadsheets of bulk jobs. Checks their size and first bytes while they arrive. */
@Injectable()
export class SheetUploadsService {
  constructor(private readonly forms: FormStore) {}

  /**
   * Reads the form of a bulk send and stores its file, which the caller must delete.
   * @throws AppError for an invalid form or file; nothing is stored then
   */
  receive(request: FastifyRequest, accountId: string): Promise<ReceivedSheet> {
    const blobKey = `sheets/${accountId}/${newId('req')}`;
    return this.forms.receive(request, {
      blobKey,
      discardFailed: DISCARD_FAILED,
      field: FIELD,
      check: ({ content, filename }) => ({
        content: checkedContent(content, filename),
        describe: ({ sha256 }) => ({ sha256 }),
      }),
      read: ({ fields, file }) => {
        request.formFields = fields;
        const parsed = withFile(file, FIELD, () => parseBody(ExcelFields, Object.fromEntries(fields)));
        if (!file) throw missingFile(FIELD);
        return { fields: parsed, blobKey, sha256: file.sha256 };
      },
    });
  }

  /** Deletes a file that is not needed. If this fails, the cleanup of old files deletes it. */
  discard(blobKey: string): Promise<void> {
    return this.forms.discard({ blobKey, discardFailed: DISCARD_FAILED });
  }
}

/** Passes a file on after checking its first bytes. Throws once it is too large. */
async function* checkedContent(content: AsyncIterable<Buffer>, filename: string | undefined): AsyncGenerator<Buffer> {
  const begun: Buffer[] = [];
  let bytes = 0;
  let isJudged = false;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > SHEET_MAX_BYTES)
      throw new AppError('PAYLOAD_TOO_LARGE', {
        message: `the file is too large: at most ${SHEET_MAX_BYTES / MIB} MB`,
      });
    if (isJudged) {
      yield chunk;
      continue;
    }
    begun.push(chunk);
    if (bytes < SAMPLE_BYTES) continue;
    yield await judged(begun, filename);
    isJudged = true;
  }
  if (!isJudged) yield await judged(begun, filename);
}

async function judged(begun: Buffer[], filename: string | undefined): Promise<Buffer> {
  const sample = Buffer.concat(begun);
  const kind = sample.length === 0 ? 'empty' : await kindOf(sample, filename);
  const mayBeCsv = kind !== 'empty' && isText(sample) && !OTHER_TEXT.test(sample.toString('latin1'));
  if (!mayBeCsv && !POSSIBLE_KINDS.test(kind))
    throw new AppError('FILE_INVALID', {
      message: `the file cannot be read: it is ${kind}, neither an .xlsx nor a .csv file`,
    });
  return sample;
}
