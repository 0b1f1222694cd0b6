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
        Format<small>Of marketing templates</small>
      </h2>
      <div className="field">
        <Segments label="Format" value={format} onChange={choose} options={FORMATS} />
        <p className="hint">{FORMAT_HINTS[format]}</p>
      </div>
      {wanted !== undefined && (
        <Confirm
          title="Change the format?"
          about="The text stays. The draft loses the parts that the other format does not have."
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

/** Title line of a limited-time offer. */
export function Offer({ form: { offer }, set, faultOf }: Parts) {
  if (offer === null) return null;
  return (
    <section className="fieldset">
      <h2>
        Offer<small>Above the text</small>
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
            label="The message counts the time down to the end of the offer"
            checked={offer.ends}
            onChange={() => set({ offer: { ...offer, ends: !offer.ends } })}
          />
          {offer.ends && <p className="hint">Each send says when the offer ends.</p>}
        </div>
      </At>
    </section>
  );
}
