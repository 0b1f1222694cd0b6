import type { FileKind } from '@switchboard/template-rules';
import { Upload, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { AttemptKey } from '../../../api/attempt-key';
import { api, must, type Schemas } from '../../../api/client';
import { useRefusal } from '../../../api/session';
import { Button, Select, TextField } from '../../../components/controls';
import { Note } from '../../../components/display';
import { useChange, useRead } from '../../../hooks/queries';
import { sizeText } from '../../../lib/formats';
import { sentenceOf } from '../../../lib/sentences';

type MediaFile = Schemas['MediaFile'];

const ACCEPTED: Record<FileKind, string> = {
  image: 'image/jpeg,image/png',
  video: 'video/mp4,video/3gpp',
  gif: 'video/mp4',
  document: 'application/pdf,text/plain,text/csv,.doc,.docx,.xls,.xlsx,.ppt,.pptx',
};
const EXAMPLE_FILES = { image: 'menu.png', video: 'menu.mp4', gif: 'menu.mp4', document: 'bill.pdf' };
/** Number of the newest uploaded files to choose from. */
const SHOWN_FILES = 100;
const isMediaId = (value: string): boolean => value.startsWith('med_');
const nameOf = ({ fileName, id }: MediaFile): string => fileName ?? id;

interface MediaProps {
  kind: FileKind;
  /** A link, the ID of an uploaded file, or an empty text. */
  value: string;
  onValue(value: string): void;
  /** ID of the sample that the template was approved with. */
  sample?: string | undefined;
}

/** File of a template: a link, a new upload, or a file that was uploaded before. */
export function MediaValue({ label, kind, value, onValue, sample }: MediaProps & { label: string }) {
  return (
    <>
      {!isMediaId(value) && (
        <TextField
          label={label}
          hint="The platform downloads the header file from this URL. You can upload a file instead."
          value={value}
          onChange={onValue}
          input={{ type: 'url', placeholder: `https://example.com/${EXAMPLE_FILES[kind]}` }}
        />
      )}
      <MediaChoice kind={kind} value={value} onValue={onValue} sample={sample}>
        {isMediaId(value) && (
          <Button size="sm" look="ghost" icon={X} onClick={() => onValue('')}>
            Use a link
          </Button>
        )}
        {sample !== undefined && sample !== value && (
          <Button size="sm" onClick={() => onValue(sample)}>
            Use the approved sample
          </Button>
        )}
      </MediaChoice>
    </>
  );
}

/** Buttons that upload a file or select an uploaded one. Shows the selected file and upload errors. */
function MediaChoice({ kind, value, onValue, sample, children }: MediaProps & { children?: ReactNode }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useUpload();
  const refusal = useRefusal('agent');
  const type = kind === 'gif' ? 'video' : kind;
  const { data } = useRead(['media'], () =>
    must(api.GET('/console/v1/media', { params: { query: { limit: SHOWN_FILES } } })),
  );
  const files = (data?.media ?? []).filter((file) => file.type === type);
  const chosen = files.find(({ id }) => id === value) ?? (upload.data?.id === value ? upload.data : undefined);
  const send = (file: File): void =>
    upload.mutate(file, {
      onSuccess: (uploaded) => {
        if (uploaded.type === type) onValue(uploaded.id);
      },
    });
  const wrongType =
    upload.data && upload.data.type !== type ? `This file is not a ${type}. Choose another one.` : undefined;
  const fault = upload.error?.message ?? wrongType;
  return (
    <>
      {value !== '' && value === sample && <p className="hint">File: the sample that the template was approved with</p>}
      {isMediaId(value) && value !== sample && (
        <p className="hint">
          Uploaded file: <span className="strong">{chosen ? nameOf(chosen) : value}</span>
          {chosen && ` (${sizeText(chosen.bytes)})`}
        </p>
      )}
      {fault !== undefined && <Note tone="bad">{sentenceOf(fault)}</Note>}
      <div className="row wrap">
        <input
          ref={input}
          className="sr"
          type="file"
          tabIndex={-1}
          aria-label="File to upload"
          accept={ACCEPTED[kind]}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) send(file);
            target.value = '';
          }}
        />
        <Button
          size="sm"
          icon={Upload}
          refusal={refusal}
          isBusy={upload.isPending}
          onClick={() => input.current?.click()}
        >
          {isMediaId(value) ? 'Upload another file' : 'Upload a file'}
        </Button>
        {children}
        {files.length > 0 && (
          <Select
            isSmall
            label="Uploaded files"
            value={chosen ? value : ''}
            onChange={(id) => id !== '' && onValue(id)}
            options={[['', 'Choose an uploaded file'], ...files.map((file) => [file.id, nameOf(file)] as const)]}
          />
        )}
      </div>
    </>
  );
}

/** Uploads a file to be sent often. A retry after a lost response stores one file. */
function useUpload() {
  const attempt = useRef(new AttemptKey());
  return useChange(
    (file: File) =>
      attempt.current.of([file.name, file.size, file.lastModified], (key) =>
        must(
          api.POST('/console/v1/media', {
            params: { header: { 'Idempotency-Key': key } },
            body: { file: '' },
            bodySerializer: () => {
              const form = new FormData();
              form.set('file', file);
              return form;
            },
          }),
        ),
      ),
    { quiet: true },
  );
}
