import { type ReactNode, useState } from 'react';
import { Segments } from '../../../components/controls';
import { shownTheme } from '../../../lib/theme';
import { ShownCards } from './preview-parts';
import { isRightToLeft } from './template-choices';
import type { TemplateForm } from './template-form';
import { TemplateLook } from './template-look';

export function Preview({
  form,
  language,
  category,
  account,
  children,
}: {
  form: TemplateForm;
  language: string;
  category: string;
  account: string;
  /** Controls above the phone. */
  children?: ReactNode;
}) {
  const [shows, setShows] = useState<'samples' | 'variables'>('samples');
  const [theme, setTheme] = useState<'light' | 'dark'>(shownTheme);
  const isFilled = shows === 'samples';
  const isCode = category === 'AUTHENTICATION';
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
      {children}
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
              <TemplateLook
                form={form}
                category={category}
                isFilled={isFilled}
                meta={<span className="meta">10:42</span>}
              />
            </div>
            {!isCode && <ShownCards cards={form.cards} isFilled={isFilled} />}
          </div>
        </div>
      </div>
      <p className="hint">Highlighted text comes from variables.</p>
    </aside>
  );
}
