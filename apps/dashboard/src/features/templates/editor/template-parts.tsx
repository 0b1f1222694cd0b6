import { MAX_FOOTER, MAX_HEADER } from '@switchboard/template-rules';
import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { Segments, TextField } from '../../../components/controls';
import { Note } from '../../../components/display';
import { HeaderSample } from './header-sample';
import { At } from './template-bar';
import { BodyText } from './template-body';
import { Buttons, type Parts } from './template-buttons';
import { Cards } from './template-cards';
import { isMedia, type TemplateForm } from '../shared/template-form';
import { FormatChoice, Offer } from './template-format';
import { formatOf, HAS_FOOTER, HEADERS_OF } from './template-formats';
import { sampleField } from './template-faults';
import { type FormVariable, variablesOf } from './template-variables';

const HEADER_NAMES: Record<Exclude<TemplateForm['header'], 'OTHER'>, string> = {
  NONE: 'None',
  TEXT: 'Text',
  IMAGE: 'Image',
  VIDEO: 'Video',
  GIF: 'GIF',
  DOCUMENT: 'Document',
  LOCATION: 'Location',
  PRODUCT: 'Product',
};

/**
 * Sections of a template with a custom text: the parts of its format, and disallowed parts of the draft with their
 * errors.
 */
export function TextParts(parts: Parts) {
  const { form, set, faultOf } = parts;
  const format = formatOf(form);
  const hasHeader = HEADERS_OF[format].length > 0 || form.header !== 'NONE';
  const hasFooter = HAS_FOOTER.includes(format) || form.footer !== '';
  const hasButtons = format !== 'CAROUSEL' || form.buttons.length > 0;
  return (
    <>
      <FormatChoice {...parts} />
      {hasHeader && <Header {...parts} />}
      <Offer {...parts} />
      <BodyText {...parts} />
      <Cards {...parts} />
      <Variables {...parts} />
      {hasFooter && (
        <section className="fieldset">
          <h2>
            Footer<small>Optional, no variables</small>
          </h2>
          <At fields={['footer']}>
            <TextField
              label="Footer text"
              meter={[form.footer.length, MAX_FOOTER]}
              value={form.footer}
              onChange={(footer) => set({ footer })}
              fault={faultOf('footer.text', 'footer')}
            />
          </At>
        </section>
      )}
      {hasButtons && <Buttons {...parts} />}
    </>
  );
}

/** GIF headers are only for marketing templates. */
function headersOf({ form, category }: Parts): readonly (readonly [TemplateForm['header'], string])[] {
  const { header } = form;
  const offered = HEADERS_OF[formatOf(form)].filter((one) => one !== 'GIF' || category === 'MARKETING');
  const all = offered.includes(header)
    ? offered
    : ['NONE' as const, ...offered.filter((one) => one !== 'NONE'), header];
  return all.flatMap((one) => (one === 'OTHER' ? [] : [[one, HEADER_NAMES[one]] as const]));
}

function Header(parts: Parts) {
  const { form, set, faultOf } = parts;
  const { header, headerText, headerFile } = form;
  const fault = faultOf('header.format', 'header');
  return (
    <section className="fieldset">
      <h2>
        Header<small>{header === 'PRODUCT' ? 'Each send chooses the product' : 'Optional'}</small>
      </h2>
      <At fields={['header', 'header.format']}>
        <div className="stack">
          <Segments
            label="Header type"
            value={header}
            onChange={(value) => value !== header && set({ header: value, headerFile: '' })}
            options={headersOf(parts)}
          />
          {isMedia(header) && (
            <At fields={['header.example.header_handle']}>
              <HeaderSample
                key={header}
                format={header}
                hasFile={headerFile !== ''}
                fault={faultOf('header.example.header_handle')}
                // The header format may have changed during the upload.
                onUploaded={(id) => set((now) => (now.header === header ? { headerFile: id } : {}))}
              />
            </At>
          )}
          {header === 'TEXT' && (
            <At fields={['header.text']}>
              <TextField
                label="Header text"
                hint="At most one variable: {{1}}, or a name"
                meter={[headerText.length, MAX_HEADER]}
                value={headerText}
                onChange={(value) => set({ headerText: value })}
                fault={faultOf('header.text')}
              />
            </At>
          )}
          {fault && <Note tone="bad">{fault}</Note>}
        </div>
      </At>
    </section>
  );
}

/** Variables of header, body, URLs and cards in one list, each with its sample. */
function Variables({ form, set, faultOf }: Parts) {
  const variables = variablesOf(form);
  if (variables.length === 0) return null;
  return (
    <section className="fieldset">
      <h2>
        Variables<small>Samples are shown to reviewers</small>
      </h2>
      <div className="vars">
        <span className="h">Name</span>
        <span className="h use">Used in</span>
        <span className="h">Sample</span>
        {variables.map((variable) => (
          <Variable
            key={`${variable.where} ${variable.name}`}
            {...variable}
            fault={faultOf(sampleField(variable))}
            onChange={(value) => set(variable.change(value))}
          />
        ))}
      </div>
    </section>
  );
}

interface VariableProps extends Omit<FormVariable, 'change'> {
  fault: string | undefined;
  onChange(value: string): void;
}

function Variable({ name, where, value, fault, onChange }: VariableProps) {
  const id = useId();
  return (
    <>
      <span className="var">{`{{${name}}}`}</span>
      <span className="dim use cut">{where}</span>
      <At fields={[sampleField({ name, where })]}>
        <input
          className="input"
          aria-label={`Sample for ${name} of ${where}`}
          {...(fault && { 'aria-invalid': true, 'aria-describedby': id })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        {fault && (
          <p className="fault" id={id}>
            <CircleAlert className="i i-14" aria-hidden />
            <span>{fault}</span>
          </p>
        )}
      </At>
    </>
  );
}
