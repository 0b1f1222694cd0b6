import { TTL_SECONDS } from '@switchboard/template-rules';
import { useState } from 'react';
import { Segments, Select, TextField } from '../../../components/controls';
import { countText } from '../../../lib/formats';
import { Confirm } from '../../../components/overlays';
import { At } from './template-bar';
import { CATEGORIES, CATEGORY_HINTS, LANGUAGES, templateNameOf } from '../shared/template-choices';
import { toComponents, emptyForm } from '../shared/template-form';
import type { Content } from './template-faults';
import type { Parts } from './template-buttons';

interface BasicsProps extends Pick<Parts, 'faultOf'> {
  content: Content;
  change(changed: Partial<Omit<Content, 'form'>>): void;
  /** Whether an existing template is edited: its name and language are fixed. */
  isEdit: boolean;
}

export function Basics({ content, change, isEdit, faultOf }: BasicsProps) {
  const { name, language, category, ttlSeconds } = content;
  const [wanted, setWanted] = useState<string>();
  const choose = (next: string): void => {
    const isOther = (next === 'AUTHENTICATION') !== (category === 'AUTHENTICATION');
    if (isOther && hasContent(content)) setWanted(next);
    else change({ category: next });
  };
  const languageName = LANGUAGES.find(([code]) => code === language)?.[1];
  const limits = TTL_SECONDS[category];
  return (
    <section className="fieldset">
      <h2>
        Basics<small>Fixed once approved</small>
      </h2>
      <div className="stack">
        <div className="two">
          <At fields={['name']}>
            <TextField
              label="Name"
              hint={isEdit ? 'The name of a template cannot be changed.' : 'Lowercase letters, digits and underscores'}
              value={name}
              onChange={(value) => change({ name: templateNameOf(value) })}
              fault={faultOf('name')}
              input={{ className: 'mono', maxLength: 512, readOnly: isEdit }}
            />
          </At>
          <At fields={['language']}>
            {isEdit ? (
              <TextField
                label="Language"
                hint="The language of a template cannot be changed."
                value={languageName ? `${languageName}, ${language}` : language}
                onChange={() => undefined}
                fault={faultOf('language')}
                input={{ readOnly: true }}
              />
            ) : (
              <Select
                label="Language"
                value={language}
                onChange={(value) => change({ language: value })}
                options={languageName ? LANGUAGES : [[language, language], ...LANGUAGES]}
                fault={faultOf('language')}
              />
            )}
          </At>
        </div>
        <At fields={['category']}>
          <div className="field">
            <span className="label">Category</span>
            <Segments label="Category" value={category} onChange={choose} options={CATEGORIES} />
            {faultOf('category') ? (
              <p className="fault">{faultOf('category')}</p>
            ) : (
              <p className="hint">{CATEGORY_HINTS[category]}</p>
            )}
          </div>
        </At>
        {limits && (
          <At fields={['ttlSeconds']}>
            <TextField
              label="Validity period, in seconds"
              isOptional
              hint={`${limits[0]} to ${countText(limits[1])}. Messages that cannot be delivered in this time are dropped. Leave empty to use ${isEdit ? 'the current value' : 'the platform default'}.`}
              value={ttlSeconds}
              onChange={(value) => change({ ttlSeconds: value.replaceAll(/\D/g, '') })}
              fault={faultOf('ttlSeconds')}
              input={{ inputMode: 'numeric', maxLength: 6 }}
            />
          </At>
        )}
      </div>
      {wanted !== undefined && (
        <Confirm
          title={wanted === 'AUTHENTICATION' ? 'Discard the text?' : 'Discard the code settings?'}
          about={
            wanted === 'AUTHENTICATION'
              ? 'The platform provides the text of authentication templates. The header, body, footer and buttons of the draft are removed.'
              : 'The code settings of the draft are removed, including its expiry and apps.'
          }
          action="Switch category"
          isBusy={false}
          onConfirm={() => {
            change({ category: wanted });
            setWanted(undefined);
          }}
          onClose={() => setWanted(undefined)}
        />
      )}
    </section>
  );
}

/** Returns whether the form has content that another kind of template would lose. */
function hasContent({ form, category }: Content): boolean {
  return JSON.stringify(toComponents(form, category)) !== JSON.stringify(toComponents(emptyForm(), category));
}
