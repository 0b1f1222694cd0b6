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
import type { ButtonForm } from './button-form';
import type { CardForm } from './card-form';
import type { MediaFormat, OfferForm } from './template-form';
import { textAsShown } from './formatted-text';

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

export function ShownButtons({ buttons }: { buttons: readonly Pick<ButtonForm, 'type' | 'text'>[] }) {
  if (buttons.length === 0) return null;
  return (
    <span className="bubble-btns">
      {buttons.map(({ type, text }, index) => {
        const Icon = ICONS[type];
        return (
          <span key={index}>
            <Icon className="i" aria-hidden />
            {text || 'Button'}
          </span>
        );
      })}
    </span>
  );
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

/** Carousel cards, scrollable sideways by pointer and keyboard. */
export function ShownCards({ cards, isFilled }: { cards: readonly CardForm[]; isFilled: boolean }) {
  if (cards.length === 0) return null;
  return (
    <div className="phone-cards" role="group" aria-label="Cards" tabIndex={0}>
      {cards.map(({ key, header, headerFile, hasBody, body, bodySamples, buttons }) => (
        <div key={key} className="bubble" data-testid="preview-card">
          <HeaderFile format={header} file={headerFile} />
          {hasBody && (
            <span>
              {body === '' ? <span className="dimmer">Card text</span> : textAsShown(body, isFilled ? bodySamples : {})}
            </span>
          )}
          <ShownButtons buttons={buttons} />
        </div>
      ))}
    </div>
  );
}

const MEDIA_ICONS = { IMAGE: Image, VIDEO: Video, GIF: Clapperboard, DOCUMENT: FileText };

/** Preview of an uploaded sample, or a placeholder for a sample that WhatsApp stores. */
export function HeaderFile({ format, file }: { format: MediaFormat; file: string }) {
  const Icon = MEDIA_ICONS[format];
  const source = `/console/v1/templates/header-samples/${encodeURIComponent(file)}`;
  const isOurs = file !== '' && !/^https?:/.test(file);
  if (isOurs && format === 'IMAGE') return <img className="media" src={source} alt="Header sample" />;
  if (isOurs && format === 'VIDEO') return <video className="media" src={source} controls aria-label="Header sample" />;
  if (isOurs && format === 'GIF')
    return <video className="media" src={source} controls loop muted aria-label="Header sample" />;
  return (
    <span className="media-box">
      <Icon className="i i-20" aria-label={file === '' ? 'No sample yet' : 'File'} />
    </span>
  );
}
