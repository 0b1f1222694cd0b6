import { MAX_APPS, MAX_EXPIRY_MINUTES } from '@switchboard/template-rules';
import { Plus, Trash2 } from 'lucide-react';
import { Button, Check, Field, Segments, TextField } from '../../../components/controls';
import { At } from './template-bar';
import type { Parts } from './template-buttons';
import { type AppForm, NO_APP } from '../shared/template-form';

const OTP_KINDS = [
  ['COPY_CODE', 'Copy code'],
  ['ONE_TAP', 'One tap'],
  ['ZERO_TAP', 'Zero tap'],
] as const;
const OTP_HINTS = {
  COPY_CODE: 'A button copies the code, which the user pastes into the app.',
  ONE_TAP: 'A button passes the code to your Android app. On other devices it copies the code.',
  ZERO_TAP: 'Your Android app receives the code without a tap. On other devices a button copies it.',
};

/** Authentication template, whose text WhatsApp provides. */
export function CodeParts({ form, set, faultOf }: Omit<Parts, 'category'>) {
  const { otpType } = form;
  return (
    <>
      <section className="fieldset">
        <h2>
          Text<small>Provided by the platform</small>
        </h2>
        <div className="stack">
          <Check
            label="Add “For your security, do not share this code.”"
            checked={form.hasRecommendation}
            onChange={() => set({ hasRecommendation: !form.hasRecommendation })}
          />
          <At fields={['footer']}>
            <TextField
              label="Expires after, in minutes"
              isOptional
              hint={`1 to ${MAX_EXPIRY_MINUTES}. Shown below the code.`}
              value={form.expiryMinutes}
              onChange={(value) => set({ expiryMinutes: value.replaceAll(/\D/g, '') })}
              fault={faultOf('footer.code_expiration_minutes', 'footer.text')}
              input={{ inputMode: 'numeric', maxLength: 4 }}
            />
          </At>
        </div>
      </section>
      <section className="fieldset">
        <h2>Button</h2>
        <div className="stack">
          <At fields={['buttons', 'buttons.0.otp_type']}>
            <Segments
              label="Code delivery"
              value={otpType}
              onChange={(value) => set({ otpType: value })}
              options={OTP_KINDS}
            />
            <p className="hint">{OTP_HINTS[otpType]}</p>
          </At>
          <At fields={['buttons.0.text']}>
            <TextField
              label="Text"
              isOptional
              hint="Label of the button that copies the code."
              value={form.otpText}
              onChange={(otpText) => set({ otpText })}
              fault={faultOf('buttons.0.text')}
              input={{ placeholder: 'Copy code' }}
            />
          </At>
          {otpType !== 'COPY_CODE' && (
            <>
              <TextField
                label="Autofill text"
                isOptional
                hint="Label of the button that passes the code to the app."
                value={form.autofillText}
                onChange={(autofillText) => set({ autofillText })}
                input={{ placeholder: 'Autofill' }}
              />
              <Apps form={form} set={set} faultOf={faultOf} />
            </>
          )}
          {otpType === 'ZERO_TAP' && (
            <At fields={['buttons.0.zero_tap_terms_accepted']}>
              <Field label="Terms" fault={faultOf('buttons.0.zero_tap_terms_accepted')}>
                {(props) => (
                  <Check
                    {...props}
                    label="I accept the platform's zero-tap terms"
                    checked={form.acceptsZeroTap}
                    onChange={() => set({ acceptsZeroTap: !form.acceptsZeroTap })}
                  />
                )}
              </Field>
            </At>
          )}
        </div>
      </section>
    </>
  );
}

/** Apps that receive the code, identified by package name and signature hash. */
function Apps({ form: { apps }, set, faultOf }: Omit<Parts, 'category'>) {
  const fault = faultOf('buttons.0.supported_apps');
  const change = (index: number, changed: Partial<AppForm>): void =>
    set({ apps: apps.map((app, at) => (at === index ? { ...app, ...changed } : app)) });
  return (
    <At fields={['buttons.0.supported_apps']}>
      <div className="stack">
        {apps.map(({ packageName, signatureHash }, index) => {
          const number = apps.length === 1 ? '' : ` ${index + 1}`;
          const isUnfinished = packageName === '' || signatureHash === '';
          return (
            <div key={index} className="app-row">
              <TextField
                label={`Package name${number}`}
                value={packageName}
                onChange={(value) => change(index, { packageName: value })}
                fault={isUnfinished ? fault : undefined}
                input={{ className: 'mono', placeholder: 'com.example.app' }}
              />
              <TextField
                label={`Signature hash${number}`}
                value={signatureHash}
                onChange={(value) => change(index, { signatureHash: value })}
                input={{ className: 'mono', placeholder: 'K8a/AINcGX7' }}
              />
              <Button
                look="ghost"
                icon={Trash2}
                aria-label={`Remove app ${index + 1}`}
                refusal={apps.length === 1 ? 'At least one app is required' : undefined}
                onClick={() => set({ apps: apps.filter((_, at) => at !== index) })}
              />
            </div>
          );
        })}
        <div>
          <Button
            size="sm"
            icon={Plus}
            refusal={apps.length < MAX_APPS ? undefined : `At most ${MAX_APPS} apps`}
            onClick={() => set({ apps: [...apps, NO_APP] })}
          >
            Add app
          </Button>
        </div>
      </div>
    </At>
  );
}
