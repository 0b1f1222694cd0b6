import {
  Clapperboard,
  Clock,
  Copy,
  ExternalLink,
  FileText,
  Image,
  List,
  Phone,
  Reply,
  ShoppingBag,
  SquareArrowOutUpRight,
  Store,
  UserRoundPlus,
  Video,
  Workflow,
} from 'lucide-react';
import { type ButtonForm, FIXED_TEXTS } from './button-form';
import type { CardForm } from './card-form';
import type { MediaFormat, OfferForm } from './template-form';
import { wordOf } from '../../../components/display';
import { WebLink } from '../../../components/marked-text';
import { TemplateText } from './formatted-text';

const ICONS = {
  QUICK_REPLY: Reply,
  URL: ExternalLink,
  PHONE_NUMBER: Phone,
  COPY_CODE: Copy,
  FLOW: Workflow,
  CATALOG: Store,
  MPM: List,
  SPM: ShoppingBag,
  REQUEST_CONTACT_INFO: UserRoundPlus,
  /** Icon for unknown button types. */
  OTHER: SquareArrowOutUpRight,
};

export interface ShownButton extends Pick<ButtonForm, 'type' | 'text'> {
  /** HTTP(S) URL that the button opens. Buttons without one are not active. */
  href?: string;
}

export function ShownButtons({ buttons }: { buttons: readonly ShownButton[] }) {
  if (buttons.length === 0) return null;
  return (
    <span className="bubble-btns">
      {buttons.map(({ type, text, href }, index) => {
        const Icon = ICONS[type];
        return (
          <span key={index}>
            <Icon className="i" aria-hidden />
            {href === undefined ? text || 'Button' : <WebLink href={href}>{text || href}</WebLink>}
          </span>
        );
      })}
    </span>
  );
}

/** Button of a template. A URL with variables, as in a template without values, is not a link. */
export function shownButton({ type, text, value }: ButtonForm): ShownButton {
  const isLink = type === 'URL' && /^https?:\/\/[^{}]+$/i.test(value);
  return { type, text: FIXED_TEXTS[type] ?? text, ...(isLink && { href: value }) };
}

/** Title line of a limited-time offer with its code. */
export function ShownOffer({ offer: { text, ends }, buttons }: { offer: OfferForm; buttons: readonly ButtonForm[] }) {
  const code = buttons.find(({ type }) => type === 'COPY_CODE')?.value;
  return (
    <span className="offer">
      <Clock className="i i-20" aria-hidden />
      <span>
        <span className="strong">{text || 'Your offer'}</span>
        {ends && <span className="foot">Ends in 2 days</span>}
        {code && <span className="foot">Code {code}</span>}
      </span>
    </span>
  );
}

interface ShownCardsProps {
  cards: readonly CardForm[];
  isFilled: boolean;
  isLinked?: boolean;
}

/** Carousel cards, scrollable sideways by pointer and keyboard. */
export function ShownCards({ cards, isFilled, isLinked = false }: ShownCardsProps) {
  if (cards.length === 0) return null;
  return (
    <div className="phone-cards" role="group" aria-label="Cards" tabIndex={0}>
      {cards.map(({ key, header, headerFile, hasBody, body, bodySamples, buttons }) => (
        <div key={key} className="bubble" data-testid="preview-card">
          <HeaderFile format={header} file={headerFile} isLinked={isLinked} />
          {hasBody && (
            <div>
              {body === '' ? (
                <span className="dimmer">Card text</span>
              ) : (
                <TemplateText text={body} samples={isFilled ? bodySamples : {}} />
              )}
            </div>
          )}
          <ShownButtons buttons={buttons.map(shownButton)} />
        </div>
      ))}
    </div>
  );
}

const MEDIA_ICONS = { IMAGE: Image, VIDEO: Video, GIF: Clapperboard, DOCUMENT: FileText };

interface HeaderFileProps {
  format: MediaFormat;
  /** ID of a sample, path of an uploaded file, or a link of another host, which the page does not load. */
  file: string;
  /** Name of a document. */
  name?: string | undefined;
  /** Whether a file that the page does not show can be opened. */
  isLinked?: boolean;
}

/** Picture, video or document above the text. */
/** Returns the host of a link, or the link itself if it is incomplete. */
function hostOf(link: string): string {
  try {
    return new URL(link).host;
  } catch {
    return link;
  }
}

export function HeaderFile({ format, file, name, isLinked = false }: HeaderFileProps) {
  const Icon = MEDIA_ICONS[format];
  const isUploaded = file.startsWith('/');
  const isForeign = /^https?:/i.test(file);
  // The IDs of samples are ASCII; other texts come from the code view of the editor.
  const isOurs = /^[!-~]+$/.test(file) && !isForeign;
  const source = isUploaded || !isOurs ? file : `/console/v1/templates/header-samples/${encodeURIComponent(file)}`;
  const label = isUploaded ? `Header ${format.toLowerCase()}` : 'Header sample';
  if (isOurs && format === 'IMAGE') return <img className="media" src={source} alt={label} />;
  if (isOurs && format === 'VIDEO') return <video className="media" src={source} controls aria-label={label} />;
  if (isOurs && format === 'GIF')
    return <video className="media" src={source} controls loop muted aria-label={label} />;
  return (
    <span className="media-box">
      <Icon className="i i-20" aria-label={file === '' ? 'No sample yet' : 'File'} />
      {isLinked && isForeign && <WebLink href={file}>{name ?? 'Open header file'}</WebLink>}
      {isLinked && isUploaded && (
        <a className="link" href={file} download>
          {name ?? 'Download'}
        </a>
      )}
      {!isLinked && name !== undefined && <span className="small">{name}</span>}
      {!isLinked && isForeign && <span className="small wrap-any">{`${wordOf(format)} from ${hostOf(file)}`}</span>}
    </span>
  );
}
