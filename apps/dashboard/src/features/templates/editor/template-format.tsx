import { MAX_OFFER } from '@switchboard/template-rules';
import { useState } from 'react';
import { Check, Segments, TextField } from '../../../components/controls';
import { Confirm } from '../../../components/overlays';
import { At } from './template-bar';
import type { Parts } from './template-buttons';
import { type Format, FORMAT_HINTS, formatOf, FORMATS, losesParts, toFormat } from './template-formats';

/** Format of a marketing template. Templates of other categories have no choice. */
export function FormatChoice({ form, category, set }: Parts) {
  const format = formatOf(form);
  const [wanted, setWanted] = useState<Format>();
  if (category !== 'MARKETING' && format === 'MESSAGE') return null;
  const choose = (next: Format): void => {
    if (next === format) return;
    if (losesParts(form, next)) setWanted(next);
    else set((now) => toFormat(now, next));
  };
  return (
    <section className="fieldset">
      <h2>
        Format<small>Marketing templates only</small>
      </h2>
      <div className="field">
        <Segments label="Format" value={format} onChange={choose} options={FORMATS} />
        <p className="hint">{FORMAT_HINTS[format]}</p>
      </div>
      {wanted !== undefined && (
        <Confirm
          title="Change format?"
          about="The text is kept. Parts that the new format does not support are removed."
          action="Change format"
          isBusy={false}
          onConfirm={() => {
            set((now) => toFormat(now, wanted));
            setWanted(undefined);
          }}
          onClose={() => setWanted(undefined)}
        />
      )}
    </section>
  );
}

export function Offer({ form: { offer }, set, faultOf }: Parts) {
  if (offer === null) return null;
  return (
    <section className="fieldset">
      <h2>
        Offer<small>Shown above the text</small>
      </h2>
      <At fields={['limited_time_offer']}>
        <div className="stack">
          <TextField
            label="Offer text"
            hint="No variables"
            meter={[offer.text.length, MAX_OFFER]}
            value={offer.text}
            onChange={(text) => set({ offer: { ...offer, text } })}
            fault={faultOf('limited_time_offer.text', 'limited_time_offer')}
          />
          <Check
            label="Show a countdown to the end of the offer"
            checked={offer.ends}
            onChange={() => set({ offer: { ...offer, ends: !offer.ends } })}
          />
          {offer.ends && <p className="hint">You set the end of the offer in each send.</p>}
        </div>
      </At>
    </section>
  );
}
