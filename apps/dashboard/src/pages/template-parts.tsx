import { bracedTextsOf, MAX_BODY, MAX_FOOTER, MAX_HEADER } from '@switchboard/template-rules';
import { CircleAlert, Plus } from 'lucide-react';
import { Button, Check, Field, Segments, TextArea, TextField } from '../kit/controls';
import { HeaderSample } from './header-sample';
import { Buttons, type Parts } from './template-buttons';
import { isMedia, variablesOf } from './template-form';

const HEADERS = [
  ['NONE', 'None'],
  ['TEXT', 'Text'],
  ['IMAGE', 'Image'],
  ['VIDEO', 'Video'],
  ['DOCUMENT', 'Document'],
  ['LOCATION', 'Place'],
] as const;

export function TextParts({ form, set, faultOf }: Parts) {
  const { header, headerText, body, footer } = form;
  return (
    <>
      <section className="fieldset">
        <h2>
          Header<small>Optional</small>
        </h2>
        <div className="stack">
          <Segments
            label="Kind of header"
            value={header}
            onChange={(value) => set({ header: value, ...(isMedia(value) && { headerFile: '' }) })}
            options={HEADERS}
          />
          {isMedia(header) && (
            <HeaderSample
              format={header}
              fault={faultOf('header.example.header_handle')}
              onUploaded={(headerFile) => set({ headerFile })}
            />
          )}
          {header === 'TEXT' && (
            <TextField
              label="Header text"
              meter={[headerText.length, MAX_HEADER]}
              value={headerText}
              onChange={(value) => set({ headerText: value })}
              fault={faultOf('header.text')}
            />
          )}
        </div>
      </section>
      <section className="fieldset">
        <h2>
          Body<small>Required</small>
        </h2>
        <div className="stack">
          <TextArea
            label="Body text"
            rows={6}
            hint="*bold*, _italic_ and ~struck~ work as in chats."
            meter={[body.length, MAX_BODY]}
            value={body}
            onChange={(value) => set({ body: value })}
            fault={faultOf('body.text', 'body')}
          />
          <div>
            <Button size="sm" icon={Plus} onClick={() => set({ body: `${body}{{${bracedTextsOf(body).length + 1}}}` })}>
              Add variable
            </Button>
          </div>
        </div>
      </section>
      <Variables form={form} set={set} faultOf={faultOf} />
      <section className="fieldset">
        <h2>
          Footer<small>Optional, no variables</small>
        </h2>
        <TextField
          label="Footer text"
          meter={[footer.length, MAX_FOOTER]}
          value={footer}
          onChange={(value) => set({ footer: value })}
          fault={footer === '' ? undefined : faultOf('footer.text')}
        />
      </section>
      <Buttons form={form} set={set} faultOf={faultOf} />
    </>
  );
}

/** Every variable of header, body and links in one list, each with its sample. */
function Variables({ form, set, faultOf }: Parts) {
  const variables = variablesOf(form);
  if (variables.length === 0) return null;
  const fault = faultOf(
    ...['header.example.header_text', 'body.example.body_text'],
    ...form.buttons.map((_, index) => `buttons.${index}.example`),
  );
  return (
    <section className="fieldset">
      <h2>
        Variables<small>Reviewers see the samples</small>
      </h2>
      <div className="stack">
        <div className="vars">
          <span className="h">Name</span>
          <span className="h use">Where</span>
          <span className="h">Sample</span>
          {variables.map((variable) => (
            <Variable
              key={`${variable.where} ${variable.name}`}
              {...variable}
              onChange={(value) => set(variable.change(value))}
            />
          ))}
        </div>
        {fault && (
          <p className="fault">
            <CircleAlert className="i i-14" aria-hidden />
            {fault}
          </p>
        )}
      </div>
    </section>
  );
}

function Variable({
  name,
  where,
  value,
  onChange,
}: {
  name: string;
  where: string;
  value: string;
  onChange(value: string): void;
}) {
  return (
    <>
      <span className="var">{`{{${name}}}`}</span>
      <span className="dim use cut">{where}</span>
      <input
        className="input"
        aria-label={`Sample for ${name} of ${where}`}
        aria-invalid={value.trim() === '' || undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}

const OTP_KINDS = [
  ['COPY_CODE', 'Copy code'],
  ['ONE_TAP', 'One tap'],
  ['ZERO_TAP', 'Zero tap'],
] as const;

/** An authentication template: the platform writes the text. */
export function CodeParts({ form, set, faultOf }: Parts) {
  return (
    <>
      <section className="fieldset">
        <h2>
          Text<small>Written by the platform</small>
        </h2>
        <div className="stack">
          <Check
            label="Add “For your security, do not share this code.”"
            checked={form.hasRecommendation}
            onChange={() => set({ hasRecommendation: !form.hasRecommendation })}
          />
          <TextField
            label="Expires after, in minutes"
            isOptional
            hint="1 to 90. Shown under the code."
            value={form.expiryMinutes}
            onChange={(expiryMinutes) => set({ expiryMinutes })}
            fault={faultOf('footer.code_expiration_minutes')}
            input={{ inputMode: 'numeric' }}
          />
        </div>
      </section>
      <section className="fieldset">
        <h2>Button</h2>
        <div className="stack">
          <Segments
            label="How the code gets into the app"
            value={form.otpType}
            onChange={(otpType) => set({ otpType })}
            options={OTP_KINDS}
          />
          <TextField
            label="Text"
            value={form.otpText}
            onChange={(otpText) => set({ otpText })}
            fault={faultOf('buttons.0.text')}
          />
          {form.otpType !== 'COPY_CODE' && (
            <div className="two">
              <TextField
                label="Package name"
                value={form.packageName}
                onChange={(packageName) => set({ packageName })}
                fault={faultOf('buttons.0.supported_apps')}
                input={{ className: 'mono', placeholder: 'com.example.app' }}
              />
              <TextField
                label="Signature hash"
                value={form.signatureHash}
                onChange={(signatureHash) => set({ signatureHash })}
                input={{ className: 'mono' }}
              />
            </div>
          )}
          {form.otpType === 'ZERO_TAP' && (
            <Field label="Terms" fault={faultOf('buttons.0.zero_tap_terms_accepted')}>
              {({ id }) => (
                <Check
                  id={id}
                  label="I accept the platform's terms of zero-tap"
                  checked={form.acceptsZeroTap}
                  onChange={() => set({ acceptsZeroTap: !form.acceptsZeroTap })}
                />
              )}
            </Field>
          )}
        </div>
      </section>
    </>
  );
}
