import { FileText, Upload, X } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type ReactNode, useEffect, useState } from 'react';
import { Button, Check } from '../../components/controls';
import { useToasts } from '../../components/toasts';
import { isSendable, kindName } from '../../lib/file-kinds';
import { focusComposer } from '../../lib/focus-composer';
import { sizeText } from '../../lib/formats';
import { keepUnsent } from './reply-drafts';
import { kindOfFile, mayBeVoice } from './send-message';

const KIB = 1_024;
const MIB = 1_048_576;
const MOST_BYTES: Record<string, number> = {
  image: 5 * MIB,
  video: 16 * MIB,
  audio: 16 * MIB,
  document: 100 * MIB,
  sticker: 500 * KIB,
};

export const KIND_FAULT =
  'This kind of file cannot be sent. Use JPEG, PNG, MP4, an audio file, PDF, Word, Excel, PowerPoint or text.';

/** Returns why the file cannot be sent. */
export function faultOfFile(file: File): string | undefined {
  if (!isSendable(file)) return KIND_FAULT;
  const most = MOST_BYTES[kindOfFile(file)] ?? 0;
  if (file.size <= most) return undefined;
  return `The file is too large: at most ${most < MIB ? `${most / KIB} KB` : `${most / MIB} MB`}`;
}

/** Returns the file of a paste; undefined for a text, which an office program also offers as a picture. */
export function pastedFile({ clipboardData: { files, types } }: ClipboardEvent): File | undefined {
  return types.includes('text/plain') && types.includes('text/html') ? undefined : files[0];
}

interface AttachedFileProps {
  file: File;
  isVoice: boolean;
  /** Key of the draft. */
  drafted: string;
}

/** File of the draft, with a preview of a picture. */
export function AttachedFile({ file, isVoice, drafted }: AttachedFileProps) {
  const picture = usePicture(file);
  const fault = faultOfFile(file);
  return (
    <>
      <span className="composer-file">
        {picture === undefined ? <FileText className="i" aria-hidden /> : <img src={picture} alt="" />}
        <span className="cut strong">{file.name}</span>
        <span className="dimmer">{[kindName(file.type), sizeText(file.size)].filter(Boolean).join(', ')}</span>
        <Button
          look="ghost"
          size="sm"
          icon={X}
          aria-label="Remove file"
          onClick={() => {
            keepUnsent(drafted, { file: undefined, isVoice: false });
            focusComposer();
          }}
        />
        {mayBeVoice(file) && (
          <Check
            label="Voice message"
            checked={isVoice}
            onChange={({ target }) => keepUnsent(drafted, { isVoice: target.checked })}
          />
        )}
      </span>
      <p className="fault composer-fault" role="status">
        {fault}
      </p>
    </>
  );
}

/** Returns the URL of a picture in the browser's memory. */
function usePicture(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  const isPicture = /^image\/(?:jpeg|png|webp)$/.test(file.type);
  useEffect(() => {
    if (!isPicture) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [file, isPicture]);
  return url;
}

interface FileDropProps {
  label: string;
  /** Key of the draft. */
  drafted: string;
  /** Why no file can be attached now. */
  refusal: string | undefined;
  children: ReactNode;
}

const hasFiles = ({ dataTransfer: { types } }: DragEvent): boolean => types.includes('Files');

/** Section of a conversation in which the user can drop a file. */
export function FileDrop({ label, drafted, refusal, children }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const { tell } = useToasts();
  return (
    <section
      className="convo-thread"
      aria-label={label}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        // Without this, the browser opens the file in place of the page.
        event.preventDefault();
        event.dataTransfer.dropEffect = refusal === undefined ? 'copy' : 'none';
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const [file, ...others] = event.dataTransfer.files;
        if (!file || refusal !== undefined) return;
        keepUnsent(drafted, { file, isVoice: false });
        if (others.length > 0) tell({ kind: 'bad', text: 'A message has one file. Only the first one was attached.' });
        focusComposer();
      }}
    >
      {children}
      {isOver && (
        <div className={refusal === undefined ? 'drop-here' : 'drop-here is-off'} aria-hidden>
          <Upload className="i" />
          {refusal ?? 'Drop the file to attach it to your reply'}
        </div>
      )}
    </section>
  );
}
