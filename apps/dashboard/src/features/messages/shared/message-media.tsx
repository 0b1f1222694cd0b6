import { FileText, Image, type LucideIcon, Mic, Video } from 'lucide-react';
import type { Schemas } from '../../../api/client';
import { wordOf } from '../../../components/display';

export type Media = Schemas['ShownMedia'];

const ICONS: Record<string, LucideIcon> = {
  image: Image,
  sticker: Image,
  video: Video,
  audio: Mic,
  document: FileText,
};

/** Media content. Received files are loaded through the gateway; sent ones are linked or were never stored. */
export function MediaContent({ type, media }: { type: string; media: Media }) {
  const { id, link, filename, mimeType } = media as Partial<Record<keyof Media | 'filename', string>>;
  const source = id && `/console/v1/media/${encodeURIComponent(id)}`;
  const name = filename ?? wordOf(type);
  if (source && ['image', 'sticker'].includes(type))
    return <img className={type === 'sticker' ? 'sticker' : 'media'} src={source} alt={name} />;
  if (source && type === 'video')
    return <video className="media" src={source} controls preload="none" aria-label={name} />;
  if (source && type === 'audio')
    return (
      <>
        <audio src={source} controls preload="none" aria-label={name} />
        {media.voice && <span className="dimmer small">Voice message</span>}
      </>
    );
  const Icon = ICONS[type] ?? FileText;
  return (
    <span className="file">
      <Icon className="i" aria-hidden />
      {source || link ? (
        <a
          className="link strong"
          href={source ?? link}
          {...(source ? { download: true } : { target: '_blank', rel: 'noopener noreferrer nofollow' })}
        >
          {name}
        </a>
      ) : (
        <span className="strong">{name}</span>
      )}
      {media.voice && <span className="dimmer">Voice message</span>}
      {mimeType && <span className="dimmer">{mimeType}</span>}
    </span>
  );
}
