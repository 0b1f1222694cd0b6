import { bracedTextsOf } from '@switchboard/template-rules';
import { MapPin, ShoppingBag } from 'lucide-react';
import { useState } from 'react';
import { Segments } from '../../../components/controls';
import { shownTheme } from '../../../lib/theme';
import { FIXED_TEXTS } from './button-form';
import { HeaderFile, ShownButtons, ShownCards, ShownOffer } from './preview-parts';
import { isRightToLeft } from './template-choices';
import { isMedia, type TemplateForm } from './template-form';
import { textAsShown } from './formatted-text';

export function Preview({
  form,
  language,
  category,
  account,
}: {
  form: TemplateForm;
  language: string;
  category: string;
  account: string;
}) {
  const [shows, setShows] = useState<'samples' | 'variables'>('samples');
  const [theme, setTheme] = useState<'light' | 'dark'>(shownTheme);
  const isFilled = shows === 'samples';
  const isCode = category === 'AUTHENTICATION';
  const buttons = isCode
    ? [{ type: 'COPY_CODE' as const, text: form.otpText || 'Copy code' }]
    : form.buttons.map(({ type, text }) => ({ type, text: FIXED_TEXTS[type] ?? text }));
  return (
    <aside className="editor-view" aria-label="Preview">
      <h2>Preview</h2>
      <div className="row wrap">
        <Segments
          isSmall
          label="Show"
          value={shows}
          onChange={setShows}
          options={[
            ['samples', 'Samples'],
            ['variables', 'Variables'],
          ]}
        />
        <Segments
          isSmall
          label="Phone theme"
          value={theme}
          onChange={setTheme}
          options={[
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
        />
      </div>
      <div className="phone" data-theme={theme}>
        <div className="phone-in">
          <div className="phone-bar">
            <span className="avatar" aria-hidden>
              {account.slice(0, 1).toUpperCase()}
            </span>
            <span className="strong cut">{account}</span>
          </div>
          <div
            className={isRightToLeft(language) ? 'phone-chat rtl' : 'phone-chat'}
            dir={isRightToLeft(language) ? 'rtl' : 'ltr'}
          >
            <span className="day">Today</span>
            <div className="bubble" data-testid="preview">
              {form.header === 'TEXT' && (
                <span className="head">{textAsShown(form.headerText, isFilled ? headerSamples(form) : {})}</span>
              )}
              {form.header === 'LOCATION' && (
                <span className="media-box">
                  <MapPin className="i i-20" aria-label="Location" />
                </span>
              )}
              {form.header === 'PRODUCT' && (
                <span className="media-box">
                  <ShoppingBag className="i i-20" aria-label="Product" />
                </span>
              )}
              {form.header === 'OTHER' && <span className="media-box">Unsupported header</span>}
              {isMedia(form.header) && <HeaderFile format={form.header} file={form.headerFile} />}
              {form.offer && !isCode && <ShownOffer offer={form.offer} buttons={form.buttons} />}
              {isCode ? (
                <>
                  <mark>123456</mark> is your verification code.
                  {form.hasRecommendation && ' For your security, do not share this code.'}
                </>
              ) : form.body === '' ? (
                <span className="dimmer">Your text appears here.</span>
              ) : (
                textAsShown(form.body, isFilled ? form.bodySamples : {})
              )}
              {isCode
                ? form.expiryMinutes !== '' && (
                    <span className="foot">This code expires in {form.expiryMinutes} minutes.</span>
                  )
                : form.footer !== '' && <span className="foot">{form.footer}</span>}
              <span className="meta">10:42</span>
              <ShownButtons buttons={buttons} />
            </div>
            {!isCode && <ShownCards cards={form.cards} isFilled={isFilled} />}
          </div>
        </div>
      </div>
      <p className="hint">Highlighted text comes from variables.</p>
    </aside>
  );
}

/** A text header has at most one variable, under any name. */
const headerSamples = ({ headerText, headerSample }: TemplateForm): Record<string, string> =>
  Object.fromEntries(bracedTextsOf(headerText).map((name) => [name, headerSample]));
