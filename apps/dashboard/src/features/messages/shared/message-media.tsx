import { Download, FileText, Image, type LucideIcon, Mic, Video, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { Button } from '../../../components/controls';
import { wordOf } from '../../../components/display';
import { useModal } from '../../../components/overlays';
import { kindName } from '../../../lib/file-kinds';
import { sizeText } from '../../../lib/formats';

export type Media = Schemas['ShownMedia'];

const ICONS: Record<string, LucideIcon> = {
  image: Image,
  sticker: Image,
  video: Video,
  audio: Mic,
  document: FileText,
};

interface MediaProps {
  type: string;
  media: Media;
  /** Whether the business sent the file. */
  isOut: boolean;
}

/** Media content. Stored files are loaded through the gateway; others are linked or were not retained. */
export function MediaContent({ type, media, isOut }: MediaProps) {
  const { id, filename } = media as Partial<Record<keyof Media | 'filename', string>>;
  const source = id && `/console/v1/media/${encodeURIComponent(id)}`;
  const [lost, setLost] = useState<string>();
  const name = filename ?? wordOf(type);
  if (!source || lost === source) return <FileLine type={type} media={media} isOut={isOut} isLost={Boolean(source)} />;
  const onError = (): void => setLost(source);
  if (type === 'sticker') return <img className="sticker" src={source} alt={name} onError={onError} />;
  if (type === 'image') return <Picture source={source} name={name} onError={onError} />;
  if (type === 'video')
    return <video className="media" src={source} controls preload="none" aria-label={name} onError={onError} />;
  if (type === 'audio')
    return (
      <>
        <audio src={source} controls preload="none" aria-label={name} onError={onError} />
        {media.voice && <span className="dimmer small">Voice message</span>}
      </>
    );
  return <FileLine type={type} media={media} isOut={isOut} source={source} />;
}

/** Picture that opens in full size. */
function Picture({ source, name, onError }: { source: string; name: string; onError(): void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="picture" aria-label={`Enlarge ${name}`} onClick={() => setOpen(true)}>
        <img className="media" src={source} alt={name} onError={onError} />
      </button>
      {isOpen && <FullPicture source={source} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function FullPicture({ source, name, onClose }: { source: string; name: string; onClose(): void }) {
  const modal = useModal(onClose);
  const id = useId();
  return (
    <dialog {...modal} className="dialog full-picture" aria-labelledby={id}>
      <div className="row">
        <h2 id={id} className="cut">
          {name}
        </h2>
        <span className="push" />
        <a className="btn sm" href={source} download={name}>
          <Download className="i" aria-hidden />
          Download
        </a>
        <Button look="ghost" size="sm" icon={X} aria-label="Close" onClick={onClose} />
      </div>
      <img src={source} alt={name} />
    </dialog>
  );
}

interface FileLineProps extends MediaProps {
  /** URL of a stored file. */
  source?: string;
  /** Whether a stored file could not be loaded. */
  isLost?: boolean;
}

/** Name, kind and size of a file, with a link if there is one. */
function FileLine({ type, media, isOut, source, isLost = false }: FileLineProps) {
  const { link, filename, mimeType, bytes, voice } = media;
  const href = source ?? (isLost ? undefined : link);
  const name = filename ?? wordOf(type);
  const Icon = ICONS[type] ?? FileText;
  const facts = [
    voice ? 'Voice message' : kindName(mimeType),
    bytes !== undefined && sizeText(bytes),
    isLost && 'no longer available',
    !href && !isLost && isOut && 'not kept after sending',
  ].filter(Boolean);
  return (
    <span className="file">
      <Icon className="i" aria-hidden />
      <span className="file-text">
        {href ? (
          <a
            className="link strong"
            href={href}
            {...(source ? { download: true } : { target: '_blank', rel: 'noopener noreferrer nofollow' })}
          >
            {name}
          </a>
        ) : (
          <span className="strong">{name}</span>
        )}
        {facts.length > 0 && <span className="dimmer">{facts.join(', ')}</span>}
      </span>
    </span>
  );
}
