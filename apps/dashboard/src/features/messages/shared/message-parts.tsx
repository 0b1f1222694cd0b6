import { variableNamesOf } from '@switchboard/template-rules';
import { FileText, Image, LayoutTemplate, type LucideIcon, Mic, PhoneIncoming, Replace, Video } from 'lucide-react';
import { api, must, type Schemas } from '../../../api/client';
import { useRead } from '../../../hooks/queries';
import { Status, type Tone, wordOf } from '../../../components/display';
import {
  CardsContent,
  InteractiveContent,
  LocationContent,
  OrderContent,
  summaryOfInteractive,
  Words,
} from './special-contents';
import { toForm } from '../../templates/shared/template-form';

export type Message = Schemas['AuthoredMessage'];
type Media = Schemas['ShownMedia'];
type Unsupported = Schemas['ShownUnsupported'];

export const STATUS_TONES: Record<Message['status'], Tone> = {
  accepted: 'info',
  sent: 'info',
  delivered: 'success',
  read: 'success',
  failed: 'bad',
  received: 'neutral',
  unknown: 'warning',
};

export function MessageStatus({ status, isBoxed }: { status: Message['status']; isBoxed?: boolean }) {
  return (
    <Status tone={STATUS_TONES[status]} isBoxed={isBoxed ?? false}>
      {wordOf(status)}
    </Status>
  );
}

/** Returns who sent a message: a user, an API key or a job. Undefined if unknown. */
export function authorOf({ sentBy }: Pick<Message, 'sentBy'>): string | undefined {
  if (sentBy === null) return undefined;
  if (sentBy.kind === 'job') return 'Job';
  if (sentBy.kind === 'key') return `API key ${sentBy.name ?? sentBy.id}`;
  return sentBy.name ?? 'Former colleague';
}

export const otherSideOf = ({ direction, from, to, userId }: Message): string | null =>
  (direction === 'inbound' ? from : to) ?? userId;

export const ourNumberOf = ({ direction, from, to }: Message): string | null => (direction === 'inbound' ? to : from);

/** Returns the content of a message, which is stored under the name of its type. */
function contentOf(message: Message): Record<string, unknown> | undefined {
  const content: unknown = Object.entries(message).find(([name]) => name === message.type)?.[1];
  return typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : undefined;
}

const textAt = (content: Record<string, unknown> | undefined, name: string): string | undefined => {
  const text = content?.[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
};

export function readableOf(message: Message): string {
  const content = contentOf(message);
  const { caption, type, deletedAt, unsupported } = message;
  if (deletedAt !== undefined) return 'Deleted message';
  if (unsupported?.notice !== undefined) return 'New number';
  const reply = (content?.buttonReply ?? content?.listReply) as Record<string, unknown> | undefined;
  return (
    caption ??
    ['body', 'text', 'filename', 'name', 'emoji', 'address'].map((name) => textAt(content, name)).find(Boolean) ??
    textAt(reply, 'title') ??
    textAt(content?.body as Record<string, unknown> | undefined, 'text') ??
    (type === 'interactive' ? summaryOfInteractive(content) : undefined) ??
    nameOfCard(content) ??
    wordOf(type)
  );
}

function nameOfCard(content: unknown): string | undefined {
  const [card] = Array.isArray(content) ? (content as { name?: Record<string, unknown> }[]) : [];
  return textAt(card?.name, 'formattedName');
}

const ICONS: Record<string, LucideIcon> = {
  image: Image,
  sticker: Image,
  video: Video,
  audio: Mic,
  document: FileText,
};

/** Content of a message: text, file or template values. All of it is untrusted text. */
export function MessageContent({ message }: { message: Message }) {
  const { type, caption, template, deletedAt } = message;
  if (deletedAt !== undefined) return <span className="dimmer">This message was deleted</span>;
  if (type === 'call') return <CallContent />;
  const content = contentOf(message);
  const media = (message as unknown as Record<string, Media | undefined>)[type];
  if (template) return <TemplateContent template={template} />;
  if (['image', 'video', 'audio', 'document', 'sticker'].includes(type) && media)
    return (
      <>
        <MediaContent type={type} media={media} />
        {caption && <Words text={caption} />}
      </>
    );
  if (type === 'interactive' && content) return <InteractiveContent content={content} />;
  if (type === 'location' && content) return <LocationContent content={content} />;
  if (type === 'contacts' && content) return <CardsContent content={content} />;
  if (type === 'order' && content) return <OrderContent content={content} />;
  const text = readableOf(message);
  if (type === 'unsupported') return <UnsupportedContent message={message} />;
  if (content === undefined) return <span className="dimmer">{text}</span>;
  if (type === 'reaction') return <Words text={text === wordOf(type) ? 'Removed a reaction' : `Reacted ${text}`} />;
  return <Words text={text} />;
}

/**
 * Placeholder for a message that WhatsApp withheld or the service does not support, with its type and WhatsApp's
 * reason.
 */
function UnsupportedContent({ message: { unsupported, errors = [], from } }: { message: Message }) {
  if (unsupported?.notice !== undefined) return <NoticeContent notice={unsupported} before={from} />;
  const kind = unsupported ? ` (${unsupported.type})` : '';
  const reasons = errors.map(({ title, details }) => [title, details].filter(Boolean).join(': ')).filter(Boolean);
  return (
    <>
      <span className="dimmer">{`Unsupported message type${kind}`}</span>
      {reasons.length > 0 && <Words text={reasons.join('\n')} />}
    </>
  );
}

function CallContent() {
  return (
    <span className="file">
      <PhoneIncoming className="i" aria-hidden />
      <span>The customer called</span>
    </span>
  );
}

/** Notice of a contact's new number, or new user ID where the number is hidden. */
function NoticeContent({ notice: { phone, userId }, before }: { notice: Unsupported; before: string | null }) {
  const moved = before === null ? `New number: ${phone ?? ''}` : `New number: ${phone ?? ''} (previously ${before})`;
  return (
    <span className="file">
      <Replace className="i" aria-hidden />
      <span>{phone === undefined ? `New user ID: ${userId ?? ''}` : moved}</span>
    </span>
  );
}

/** Media content. Received files are loaded through the gateway; sent ones are linked or were never stored. */
function MediaContent({ type, media }: { type: string; media: Media }) {
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
          {...(source ? { download: true } : { target: '_blank', rel: 'noreferrer noopener' })}
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

interface SentTemplate {
  name?: string;
  language?: { code?: string };
  components?: {
    type?: string;
    parameters?: { type?: string; text?: string; payload?: string }[];
    cards?: unknown[];
  }[];
}

/** The rendered template, or only its values while it is not found. */
function TemplateContent({ template }: { template: SentTemplate }) {
  const { name = '', components = [] } = template;
  const language = template.language?.code ?? '';
  const read = useRead(['templates', 'named', name, language], () =>
    must(api.GET('/console/v1/templates', { params: { query: { name, language } } })),
  );
  const found = read.data?.templates.find((each) => each.name === name);
  const form = found && toForm(found.components, found.category);
  const valuesOf = (where: string): string[] =>
    components
      .filter(({ type }) => type?.toLowerCase() === where)
      .flatMap(({ parameters = [] }) => parameters.map(({ text, payload, type }) => text ?? payload ?? type ?? ''));
  const all = ['header', 'body', 'button'].flatMap(valuesOf);
  const cards = components.flatMap((component) => component.cards ?? []).length;
  return (
    <>
      <span className="from">
        <LayoutTemplate className="i i-14" aria-hidden />
        {name}
      </span>
      {form?.header === 'TEXT' && (
        <span className="head body" dir="auto">
          {filledWith(form.headerText, valuesOf('header'))}
        </span>
      )}
      {form?.body ? (
        <Words text={filledWith(form.body, valuesOf('body'))} />
      ) : (
        all.map((text, index) => <Words key={index} text={text} />)
      )}
      {form?.footer && <span className="foot">{form.footer}</span>}
      {cards > 0 && <span className="foot">{cards} cards</span>}
    </>
  );
}

/** Fills in the variables of a text: numbered ones by number, named ones in order. */
function filledWith(text: string, values: readonly string[]): string {
  const names = variableNamesOf(text);
  return text.replace(/\{\{([^{}]*)\}\}/g, (variable, name: string) => values[names.indexOf(name)] ?? variable);
}
