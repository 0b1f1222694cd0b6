import { bracedTextsOf } from '@switchboard/template-rules';
import { MapPin, ShoppingBag } from 'lucide-react';
import type { ReactNode } from 'react';
import { TemplateText } from './formatted-text';
import { HeaderFile, shownButton, ShownButtons, ShownOffer } from './preview-parts';
import { codeText, isMedia, type TemplateForm } from './template-form';

interface TemplateLookProps {
  form: TemplateForm;
  category: string;
  /** Whether samples replace the variables. */
  isFilled: boolean;
  /** Whether the header file can be opened. */
  isLinked?: boolean;
  /** Location of a location header. */
  place?: ReactNode;
  /** Time below the text. */
  meta?: ReactNode;
}

/** Content of a template's bubble as the phone shows it. Its cards are below the bubble. */
export function TemplateLook({ form, category, isFilled, isLinked = false, place, meta }: TemplateLookProps) {
  const isCode = category === 'AUTHENTICATION';
  const text = isCode ? codeText(form) : form.body;
  return (
    <>
      {form.header === 'TEXT' && (
        <span className="head" dir="auto">
          <TemplateText text={form.headerText} samples={isFilled ? headerSamples(form) : {}} />
        </span>
      )}
      {form.header === 'LOCATION' &&
        (place ?? (
          <span className="media-box">
            <MapPin className="i i-20" aria-label="Location" />
          </span>
        ))}
      {form.header === 'PRODUCT' && (
        <span className="media-box">
          <ShoppingBag className="i i-20" aria-label="Product" />
        </span>
      )}
      {form.header === 'OTHER' && <span className="media-box">Unsupported header</span>}
      {isMedia(form.header) && (
        <HeaderFile format={form.header} file={form.headerFile} name={form.headerFileName} isLinked={isLinked} />
      )}
      {form.offer && !isCode && <ShownOffer offer={form.offer} buttons={form.buttons} />}
      <div className="body" dir="auto">
        {text === '' ? (
          <span className="dimmer">Your text appears here.</span>
        ) : (
          <TemplateText text={text} samples={isCode ? CODE_SAMPLE : isFilled ? form.bodySamples : {}} />
        )}
      </div>
      {isCode
        ? form.expiryMinutes !== '' && <span className="foot">This code expires in {form.expiryMinutes} minutes.</span>
        : form.footer !== '' && (
            <span className="foot" dir="auto">
              {form.footer}
            </span>
          )}
      {meta}
      <ShownButtons
        buttons={isCode ? [{ type: 'COPY_CODE', text: form.otpText || 'Copy code' }] : form.buttons.map(shownButton)}
      />
    </>
  );
}

const CODE_SAMPLE = { 1: '123456' };

/** A text header has at most one variable, under any name. */
const headerSamples = ({ headerText, headerSample }: TemplateForm): Record<string, string> =>
  Object.fromEntries(bracedTextsOf(headerText).map((name) => [name, headerSample]));
