import { LayoutTemplate, Megaphone, PhoneIncoming, Replace } from 'lucide-react';
import type { Schemas } from '../../../api/client';
import { Status, type Tone, wordOf } from '../../../components/display';
import { WebLink } from '../../../components/marked-text';
import { withoutMarks } from '../../../lib/text-marks';
import { ShownCards } from '../../templates/shared/preview-parts';
import { sentForm, sentPlace, valuesOf } from '../../templates/shared/sent-template';
import { TemplateLook } from '../../templates/shared/template-look';
import { type Media, MediaContent } from './message-media';
import {
  CardsContent,
  InteractiveContent,
  isWebAddress,
  LocationContent,
  MessageText,
  OrderContent,
  summaryOfInteractive,
  Words,
} from './special-contents';
import { useTemplateOf, useTemplateText } from './use-template';

export type Message = Schemas['AuthoredMessage'];
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

/** Returns the text or caption as it was written. */
export const writtenTextOf = (message: Message): string | undefined =>
  message.caption ?? (message.type === 'text' ? textAt(contentOf(message), 'body') : undefined);

/** Types whose text may contain marks. */
const MARKED_TYPES = ['text', 'interactive', 'image', 'video', 'document'];

/** Returns the text of a message on one line; of a template, only its name. */
export function readableOf(message: Message): string {
  const text = wordsOf(message);
  return MARKED_TYPES.includes(message.type) ? withoutMarks(text) : text;
}

/** Returns the text of a message on one line. */
export function useReadable(message: Message): string {
  const { template, deletedAt } = message;
  const text = useTemplateText(deletedAt === undefined ? template : undefined);
  return text ?? readableOf(message);
}

/** Text of a message on one line. */
export function Readable({ message }: { message: Message }) {
  return useReadable(message);
}

function wordsOf(message: Message): string {
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

/** Content of a message: text, file or template values. All of it is untrusted text. */
export function MessageContent({ message }: { message: Message }) {
  const { deletedAt, referral } = message;
  if (deletedAt !== undefined) return <span className="dimmer">This message was deleted</span>;
  return (
    <>
      {referral && <ReferralLine referral={referral} />}
      <OwnContent message={message} />
    </>
  );
}

/** Advertisement or post that led the contact here. */
function ReferralLine({ referral: { sourceType, sourceUrl, headline, body } }: { referral: Schemas['Referral'] }) {
  const text = `From the ${sourceType === 'post' ? 'post' : 'ad'}${headline || body ? ` “${headline || body}”` : ''}`;
  return (
    <span className="from" dir="auto">
      <Megaphone className="i i-14" aria-hidden />
      {isWebAddress(sourceUrl) ? <WebLink href={sourceUrl}>{text}</WebLink> : text}
    </span>
  );
}

function OwnContent({ message }: { message: Message }) {
  const { type, caption, template } = message;
  if (type === 'call') return <CallContent />;
  const content = contentOf(message);
  const media = (message as unknown as Record<string, Media | undefined>)[type];
  if (template) return <TemplateContent content={template} />;
  if (['image', 'video', 'audio', 'document', 'sticker'].includes(type) && media)
    return (
      <>
        <MediaContent type={type} media={media} isOut={message.direction === 'outbound'} />
        {caption && <MessageText text={caption} />}
      </>
    );
  if (type === 'interactive' && content) return <InteractiveContent content={content} />;
  if (type === 'location' && content) return <LocationContent content={content} />;
  if (type === 'contacts' && content) return <CardsContent content={content} />;
  if (type === 'order' && content) return <OrderContent content={content} />;
  const text = wordsOf(message);
  if (type === 'unsupported') return <UnsupportedContent message={message} />;
  if (content === undefined) return <span className="dimmer">{text}</span>;
  if (type === 'reaction') return <Words text={text === wordOf(type) ? 'Removed a reaction' : `Reacted ${text}`} />;
  return type === 'text' ? <MessageText text={text} /> : <Words text={text} />;
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

/** The template with its values, or only its values while it is not found. */
function TemplateContent({ content }: { content: object }) {
  const { sent, template } = useTemplateOf(content);
  if (!sent) return null;
  const form = template && sentForm(template, sent);
  const place = sentPlace(sent);
  return (
    <>
      <span className="from">
        <LayoutTemplate className="i i-14" aria-hidden />
        {sent.name}
      </span>
      {form ? (
        <>
          <TemplateLook
            form={form}
            category={template.category}
            isFilled
            isLinked
            place={place !== undefined && <LocationContent content={place} />}
          />
          <ShownCards cards={form.cards} isFilled isLinked />
        </>
      ) : (
        valuesOf(sent).map((text, index) => <Words key={index} text={text} />)
      )}
    </>
  );
}
