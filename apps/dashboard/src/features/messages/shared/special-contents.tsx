import { FileText, List, MapPin, Phone, ShoppingBag, UserRound } from 'lucide-react';
import { MarkedText, WebLink } from '../../../components/marked-text';
import { countText } from '../../../lib/formats';
import { HeaderFile, ShownButtons } from '../../templates/shared/preview-parts';
import { shownFile } from '../../templates/shared/send-values';

type Given = Record<string, unknown>;
const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Given)[name] : undefined;
const textAt = (value: unknown, name: string): string | undefined => {
  const text = inside(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
};
const listAt = (value: unknown, name: string): unknown[] => {
  const list = inside(value, name);
  return Array.isArray(list) ? list : [];
};
/** Only HTTP(S) URLs become links, because contacts can send any text. */
export const isWebAddress = (text: string | undefined): text is string => /^https?:\/\//i.test(text ?? '');

/** Text with its own writing direction. */
export function Words({ text }: { text: string }) {
  return (
    <span className="body" dir="auto">
      {text}
    </span>
  );
}

/** Text of a message, with its marks and links. */
export function MessageText({ text }: { text: string }) {
  return (
    <div className="body" dir="auto">
      <MarkedText text={text} />
    </div>
  );
}

const HEADER_FORMATS = { image: 'IMAGE', video: 'VIDEO', document: 'DOCUMENT' } as const;

/** Picture, video or document above the text of an interactive message. */
function InteractiveFile({ header }: { header: unknown }) {
  const type = (['image', 'video', 'document'] as const).find((name) => inside(header, name) !== undefined);
  if (type === undefined) return null;
  const media = inside(header, type);
  const file = shownFile(textAt(media, 'id') ?? textAt(media, 'link') ?? '');
  const name = textAt(media, 'filename');
  return <HeaderFile format={HEADER_FORMATS[type]} file={file} name={name} isLinked />;
}

/** A contact's choice, or the options they were offered: buttons, list rows or a URL. */
export function InteractiveContent({ content }: { content: unknown }) {
  const answer = inside(content, 'buttonReply') ?? inside(content, 'listReply');
  if (answer) return <Answer title={textAt(answer, 'title') ?? ''} description={textAt(answer, 'description')} />;
  if (inside(content, 'nfmReply')) return <FormContent form={inside(content, 'nfmReply')} />;
  if (inside(content, 'callPermissionReply')) return <Words text={summaryOfInteractive(content) ?? ''} />;
  const header = inside(content, 'header');
  const action = inside(content, 'action');
  const footer = textAt(inside(content, 'footer'), 'text');
  const page = inside(action, 'parameters');
  const [displayText, url] = [textAt(page, 'displayText'), textAt(page, 'url')];
  const buttons = listAt(action, 'buttons').map((button) => textAt(inside(button, 'reply'), 'title') ?? '');
  return (
    <>
      {textAt(header, 'text') && (
        <span className="head body" dir="auto">
          {textAt(header, 'text')}
        </span>
      )}
      <InteractiveFile header={header} />
      <MessageText
        text={textAt(inside(content, 'body'), 'text') ?? summaryOfInteractive(content) ?? 'Interactive message'}
      />
      {footer && (
        <span className="foot" dir="auto">
          {footer}
        </span>
      )}
      <Rows action={action} />
      <Request content={content} />
      <ShownButtons
        buttons={[
          ...buttons.map((text) => ({ type: 'QUICK_REPLY' as const, text })),
          ...(isWebAddress(url) ? [{ type: 'URL' as const, text: displayText ?? url, href: url }] : []),
        ]}
      />
    </>
  );
}

const PERMISSIONS: Record<string, string> = { accept: 'Allowed calls', reject: 'Declined calls' };
/** Maximum number of form values to show, and of characters of a form that could not be parsed. */
const SHOWN_VALUES = 50;
const SHOWN_CHARACTERS = 2_000;

/** Returns a summary of an interactive message that has no text of its own. */
export function summaryOfInteractive(content: unknown): string | undefined {
  const permission = inside(content, 'callPermissionReply');
  if (permission) return PERMISSIONS[textAt(permission, 'response') ?? ''] ?? 'Answered the request for calls';
  const form = inside(content, 'nfmReply');
  if (form) return textAt(form, 'body') ?? 'Submitted a form';
  const product = textAt(inside(content, 'action'), 'productRetailerId');
  return product && `Product ${product}`;
}

/** Values of a submitted form, or its text if they could not be parsed. */
function FormContent({ form }: { form: unknown }) {
  const response = inside(form, 'response');
  const values = typeof response === 'object' && response !== null ? Object.entries(response) : [];
  return (
    <>
      <span className="from">
        <FileText className="i i-14" aria-hidden />
        {textAt(form, 'body') ?? 'Submitted a form'}
      </span>
      {values.slice(0, SHOWN_VALUES).map(([name, value]: [string, unknown]) => (
        <span key={name} className="body" dir="auto">
          <span className="dimmer">{name}</span> {typeof value === 'string' ? value : JSON.stringify(value)}
        </span>
      ))}
      {values.length > SHOWN_VALUES && (
        <span className="dimmer">and {countText(values.length - SHOWN_VALUES)} more values</span>
      )}
      {values.length === 0 && <Words text={(textAt(form, 'responseJson') ?? '').slice(0, SHOWN_CHARACTERS)} />}
    </>
  );
}

const REQUESTS: Record<string, string> = {
  send_location: 'Send location',
  call_permission_request: 'Allow calls',
  request_contact_info: 'Share contact info',
};

/** Button of a flow or of a request. The platform sets the label of request buttons. */
function Request({ content }: { content: unknown }) {
  const action = inside(content, 'action');
  const name = textAt(action, 'name') ?? '';
  const label = textAt(inside(action, 'parameters'), 'flowCta') ?? REQUESTS[name];
  if (!label) return null;
  const Icon = { send_location: MapPin, call_permission_request: Phone, request_contact_info: UserRound }[name];
  return (
    <span className="bubble-btns">
      <span>
        {Icon ? <Icon className="i" aria-hidden /> : <FileText className="i" aria-hidden />}
        {label}
      </span>
    </span>
  );
}

function Answer({ title, description }: { title: string; description: string | undefined }) {
  return (
    <>
      <Words text={title} />
      {description && (
        <span className="foot" dir="auto">
          {description}
        </span>
      )}
    </>
  );
}

/** Rows or products of a list message, which a phone shows behind its button. */
function Rows({ action }: { action: unknown }) {
  const sections = listAt(action, 'sections');
  if (sections.length === 0) return null;
  const isCatalog = textAt(action, 'catalogId') !== undefined;
  return (
    <details className="rows">
      <summary>
        {isCatalog ? <ShoppingBag className="i i-14" aria-hidden /> : <List className="i i-14" aria-hidden />}
        {textAt(action, 'button') ?? (isCatalog ? 'Products' : 'List')}
      </summary>
      {sections.map((section, index) => (
        <div key={index}>
          {textAt(section, 'title') && <span className="foot">{textAt(section, 'title')}</span>}
          <ul>
            {listAt(section, 'productItems').map((item, at) => (
              <li key={`product ${at}`}>
                <Words text={textAt(item, 'productRetailerId') ?? ''} />
              </li>
            ))}
            {listAt(section, 'rows').map((row, at) => (
              <li key={at}>
                <Answer title={textAt(row, 'title') ?? ''} description={textAt(row, 'description')} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  );
}

/** Location with a link to a map. The page loads nothing from other hosts. */
export function LocationContent({ content }: { content: unknown }) {
  const [latitude, longitude] = [Number(inside(content, 'latitude')), Number(inside(content, 'longitude'))];
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const where = `${latitude}/${longitude}`;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${where}`;
  return (
    <span className="file">
      <MapPin className="i" aria-hidden />
      <span>
        <Words text={textAt(content, 'name') ?? (isPlace ? `${latitude}, ${longitude}` : 'Location')} />
        {textAt(content, 'address') && <Words text={textAt(content, 'address') ?? ''} />}
        {isPlace && textAt(content, 'name') && <span className="foot tn">{`${latitude}, ${longitude}`}</span>}
        {isPlace && <WebLink href={map}>Open map</WebLink>}
      </span>
    </span>
  );
}

export function CardsContent({ content }: { content: unknown }) {
  const cards = Array.isArray(content) ? (content as unknown[]) : [];
  return (
    <>
      {cards.map((card, index) => {
        const ways = [...listAt(card, 'phones').map((phone) => textAt(phone, 'phone')), ...emailsOf(card)];
        return (
          <span className="file" key={index}>
            <UserRound className="i" aria-hidden />
            <span>
              <span className="strong body" dir="auto">
                {textAt(inside(card, 'name'), 'formattedName') ?? 'Contact'}
              </span>
              {textAt(inside(card, 'org'), 'company') && <Words text={textAt(inside(card, 'org'), 'company') ?? ''} />}
              {ways.map((way) => way && <Words key={way} text={way} />)}
            </span>
          </span>
        );
      })}
    </>
  );
}

/** Products that a contact ordered, with their quantities and prices. */
export function OrderContent({ content }: { content: unknown }) {
  return (
    <span className="file">
      <ShoppingBag className="i" aria-hidden />
      <span>
        {listAt(content, 'productItems').map((item, index) => (
          <Words key={index} text={orderedLine(item)} />
        ))}
        {textAt(content, 'text') && <Words text={textAt(content, 'text') ?? ''} />}
      </span>
    </span>
  );
}

function orderedLine(item: unknown): string {
  const [quantity, price, currency] = ['quantity', 'itemPrice', 'currency'].map((name) => inside(item, name));
  const amount = price === undefined ? '' : ` at ${String(price)} ${typeof currency === 'string' ? currency : ''}`;
  return `${String(quantity ?? 1)} × ${textAt(item, 'productRetailerId') ?? 'product'}${amount}`.trim();
}

const emailsOf = (card: unknown): (string | undefined)[] => listAt(card, 'emails').map((mail) => textAt(mail, 'email'));
