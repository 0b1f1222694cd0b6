import { bracedTextsOf, contentFaults, type Fault, MAX_BODY, MAX_BUTTONS, MAX_FOOTER, MAX_HEADER, toDraftContent } from '@switchboard/template-rules';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { CircleAlert, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError, api, must } from '../api/client';
import { useChange, useRead } from '../api/hooks';
import { useMe, useRefusal } from '../api/session';
import { Button, Check, Field, Segments, Select, TextArea, TextField } from '../kit/controls';
import { Failure, Note, PageHead, Skeleton } from '../kit/display';
import { Confirm } from '../kit/overlays';
import { clockTime } from '../kit/times';
import { usePart } from '../routes';
import { type ButtonForm, CATEGORIES, LANGUAGES, type TemplateForm, toComponents, toForm } from './template-form';
import { Preview } from './template-preview';
import { type Draft, DraftState } from './templates';

const SUBMITTING_MS = 2_000;
/** A draft is saved when nothing was typed for so long. */
const AUTOSAVE_MS = 1_500;

/** Writes a draft, shows each fault at its field while somebody types, and submits it. */
export function Page() {
  const draftId = usePart('draftId') ?? '';
  const read = useRead(
    ['template-drafts', draftId],
    () => must(api.GET('/console/v1/template-drafts/{draftId}', { params: { path: { draftId } } })),
    { everyMs: (data) => (data?.draft.state === 'submitting' ? SUBMITTING_MS : undefined) },
  );
  const navigate = useNavigate();
  const draft = read.data?.draft;
  const templateId = draft?.state === 'submitted' ? draft.templateId : null;
  useEffect(() => {
    if (templateId) void navigate({ to: '/templates/$templateId', params: { templateId }, replace: true });
  }, [templateId, navigate]);
  if (!draft)
    return (
      <div className="page narrow">
        <PageHead title="Draft" />
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton lines={6} />}
      </div>
    );
  return <Editor key={draft.id} draft={draft} />;
}

interface Content {
  name: string;
  language: string;
  category: string;
  form: TemplateForm;
}

const bodyOf = ({ name, language, category, form }: Content) => ({
  ...{ name, language, category },
  components: toComponents(form, category),
});

function Editor({ draft }: { draft: Draft }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const role = useRefusal('admin');
  const [content, setContent] = useState<Content>(() => ({
    ...{ name: draft.name, language: draft.language, category: draft.category },
    form: toForm(draft.components, draft.category),
  }));
  const [asked, ask] = useState<'delete'>();
  const { save, saved, isDirty } = useAutosave(draft, content, role === undefined);
  const params = { path: { draftId: draft.id } };
  const submit = useChange(async () => {
    await save();
    return must(api.POST('/console/v1/template-drafts/{draftId}/submit', { params }));
  });
  const remove = useChange(() => must(api.DELETE('/console/v1/template-drafts/{draftId}', { params })), {
    done: 'The draft is deleted.',
  });
  const isOpen = draft.state === 'draft' || draft.state === 'refused';
  const refusal = role ?? (isOpen ? undefined : 'It is with the platform now');
  const faults = contentFaults(toDraftContent(bodyOf(content)));
  const { form, category, language } = content;
  const set = (changed: Partial<TemplateForm>): void => setContent({ ...content, form: { ...form, ...changed } });
  const faultOf = (...fields: string[]): string | undefined =>
    faults.find(({ field }) => fields.includes(field))?.message;
  const parts = { form, set, faultOf };
  return (
    <div className="editor">
      <div className="editor-form">
        <div className="page">
          <PageHead title={content.name} status={<DraftState draft={draft} isBoxed />}>
            <Button size="sm" look="danger-quiet" icon={Trash2} refusal={refusal} onClick={() => ask('delete')}>
              Delete
            </Button>
          </PageHead>
          {draft.problem !== null && (
            <Note tone={draft.state === 'refused' ? 'bad' : 'info'}>
              {draft.state === 'refused' ? 'The platform refused it: ' : ''}
              {draft.problem}
            </Note>
          )}
          {role !== undefined && <Note tone="info">{role}</Note>}
          <fieldset className="plain" disabled={refusal !== undefined}>
            <section className="fieldset">
              <h2>
                Basics<small>Fixed once approved</small>
              </h2>
              <div className="stack">
                <div className="two">
                  <TextField label="Name" value={content.name} onChange={(name) => setContent({ ...content, name })} fault={faultOf('name')} input={{ className: 'mono', maxLength: 512, readOnly: draft.kind === 'edit' }} />
                  <Select label="Language" value={language} onChange={(value) => setContent({ ...content, language: value })} options={LANGUAGES.some(([code]) => code === language) ? LANGUAGES : [[language, language], ...LANGUAGES]} fault={faultOf('language')} />
                </div>
                <div className="field">
                  <span className="label">Category</span>
                  <Segments label="Category" value={category} onChange={(value) => setContent({ ...content, category: value })} options={CATEGORIES} />
                </div>
              </div>
            </section>
            {category === 'AUTHENTICATION' ? <CodeParts {...parts} /> : <TextParts {...parts} />}
          </fieldset>
        </div>
        <div className="sticky">
          <FaultCount faults={faults} />
          <span className="push dimmer hide-sm">{isDirty ? 'Not saved yet' : saved && `Saved ${clockTime(saved)}`}</span>
          <Button refusal={refusal} onClick={() => void save()}>
            Save draft
          </Button>
          <Button
            look="primary"
            isBusy={submit.isPending || draft.state === 'submitting'}
            refusal={refusal ?? (faults.length > 0 ? `First clear the ${faults.length} faults` : undefined)}
            onClick={() => submit.mutate(undefined)}
          >
            {draft.state === 'submitting' ? 'With the platform' : 'Submit for approval'}
          </Button>
        </div>
      </div>
      <Preview form={form} language={language} category={category} account={me.account.name} />
      {asked === 'delete' && (
        <Confirm
          title="Delete the draft?"
          about="What you wrote is gone then. A template that exists stays as it is."
          action="Delete draft"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/templates', ignoreBlocker: true }) })}
          onClose={() => ask(undefined)}
        />
      )}
    </div>
  );
}

/** Saves what is typed a moment after the last key, and before the page is left. */
function useAutosave(draft: Draft, content: Content, isAllowed: boolean) {
  const written = JSON.stringify(bodyOf(content));
  const [kept, setKept] = useState(written);
  const [saved, setSaved] = useState<string>();
  const latest = useRef(written);
  latest.current = written;
  const isOpen = isAllowed && (draft.state === 'draft' || draft.state === 'refused');
  const isDirty = isOpen && written !== kept;
  const change = useChange(
    (body: string) =>
      must(
        api.PATCH('/console/v1/template-drafts/{draftId}', {
          params: { path: { draftId: draft.id } },
          body: JSON.parse(body) as ReturnType<typeof bodyOf>,
        }),
      ),
  );
  const save = async (): Promise<void> => {
    if (!isDirty) return;
    const sent = latest.current;
    await change.mutateAsync(sent);
    setKept(sent);
    setSaved(new Date().toISOString());
  };
  const run = useRef(save);
  run.current = save;
  useEffect(() => {
    if (!isDirty) return undefined;
    const timer = setTimeout(() => void run.current().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    }), AUTOSAVE_MS);
    return () => clearTimeout(timer);
  }, [written, isDirty]);
  useBlocker({
    enableBeforeUnload: () => isDirty,
    shouldBlockFn: async () => {
      await run.current();
      return false;
    },
  });
  return { save, saved, isDirty };
}

function FaultCount({ faults }: { faults: readonly Fault[] }) {
  if (faults.length === 0) return <span className="dim">No faults</span>;
  return (
    <span className="fault strong">
      <CircleAlert className="i" aria-hidden />
      {faults.length} {faults.length === 1 ? 'fault' : 'faults'}
    </span>
  );
}

interface Parts {
  form: TemplateForm;
  set(changed: Partial<TemplateForm>): void;
  faultOf(...fields: string[]): string | undefined;
}

const HEADERS = [
  ['NONE', 'None'],
  ['TEXT', 'Text'],
  ['LOCATION', 'Place'],
] as const;

function TextParts({ form, set, faultOf }: Parts) {
  const { header, headerText, body, footer } = form;
  return (
    <>
      <section className="fieldset">
        <h2>
          Header<small>Optional</small>
        </h2>
        <div className="stack">
          {header === 'OTHER' ? (
            <p className="hint">This header holds a file. It stays as it is.</p>
          ) : (
            <Segments label="Kind of header" value={header} onChange={(value) => set({ header: value })} options={HEADERS} />
          )}
          {header === 'TEXT' && (
            <TextField label="Header text" meter={[headerText.length, MAX_HEADER]} value={headerText} onChange={(value) => set({ headerText: value })} fault={faultOf('header.text')} />
          )}
        </div>
      </section>
      <section className="fieldset">
        <h2>
          Body<small>Required</small>
        </h2>
        <div className="stack">
          <TextArea label="Body text" rows={6} hint="*bold*, _italic_ and ~struck~ work as in chats." meter={[body.length, MAX_BODY]} value={body} onChange={(value) => set({ body: value })} fault={faultOf('body.text', 'body')} />
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
        <TextField label="Footer text" meter={[footer.length, MAX_FOOTER]} value={footer} onChange={(value) => set({ footer: value })} fault={footer === '' ? undefined : faultOf('footer.text')} />
      </section>
      <Buttons form={form} set={set} faultOf={faultOf} />
    </>
  );
}

/** Every variable of header, body and addresses in one list, each with its sample. */
function Variables({ form, set, faultOf }: Parts) {
  const inHeader = form.header === 'TEXT' ? bracedTextsOf(form.headerText).slice(0, 1) : [];
  const inBody = bracedTextsOf(form.body);
  const inButtons = form.buttons.flatMap(({ type, value, text }, index) =>
    type === 'URL' && bracedTextsOf(value).length > 0 ? [{ index, text }] : [],
  );
  if (inHeader.length + inBody.length + inButtons.length === 0) return null;
  const setBody = (index: number, sample: string): void =>
    set({ bodySamples: inBody.map((_, at) => (at === index ? sample : (form.bodySamples[at] ?? ''))) });
  const fault = faultOf('header.example.header_text', 'body.example.body_text', ...inButtons.map(({ index }) => `buttons.${index}.example`));
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
          {inHeader.map((name) => (
            <Variable key={`header-${name}`} name={name} where="Header" value={form.headerSample} onChange={(headerSample) => set({ headerSample })} />
          ))}
          {inBody.map((name, index) => (
            <Variable key={`body-${name}`} name={name} where="Body" value={form.bodySamples[index] ?? ''} onChange={(sample) => setBody(index, sample)} />
          ))}
          {inButtons.map(({ index, text }) => (
            <Variable key={`button-${index}`} name="1" where={`Link of “${text || `button ${index + 1}`}”`} value={form.buttons[index]?.sample ?? ''} onChange={(sample) => set({ buttons: replaced(form.buttons, index, { sample }) })} />
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

function Variable({ name, where, value, onChange }: { name: string; where: string; value: string; onChange(value: string): void }) {
  return (
    <>
      <span className="var">{`{{${name}}}`}</span>
      <span className="dim use cut">{where}</span>
      <input className="input" aria-label={`Sample for ${name} of ${where}`} aria-invalid={value.trim() === '' || undefined} value={value} onChange={(event) => onChange(event.target.value)} />
    </>
  );
}

const replaced = (buttons: readonly ButtonForm[], index: number, changed: Partial<ButtonForm>): ButtonForm[] =>
  buttons.map((button, at) => (at === index ? { ...button, ...changed } : button));

const BUTTON_KINDS = [
  ['QUICK_REPLY', 'Quick reply'],
  ['URL', 'Open a link'],
  ['PHONE_NUMBER', 'Call a number'],
  ['COPY_CODE', 'Copy a code'],
] as const;
const VALUE_FIELDS = { URL: 'url', PHONE_NUMBER: 'phone_number', COPY_CODE: 'example', QUICK_REPLY: '' };
const VALUE_HINTS = { URL: 'https://example.com/{{1}}', PHONE_NUMBER: '+15550783881', COPY_CODE: 'SAVE10', QUICK_REPLY: '' };

function Buttons({ form: { buttons }, set, faultOf }: Parts) {
  return (
    <section className="fieldset">
      <h2>
        Buttons
        <small>
          {buttons.length} of {MAX_BUTTONS}
        </small>
      </h2>
      <div className="stack">
        {buttons.map((button, index) => {
          const number = index + 1;
          const change = (changed: Partial<ButtonForm>): void => set({ buttons: replaced(buttons, index, changed) });
          return (
            <div key={index} className="btn-row">
              <Select label={`Kind ${number}`} value={button.type} onChange={(type) => change({ type })} options={BUTTON_KINDS} />
              {button.type === 'COPY_CODE' ? (
                <span />
              ) : (
                <TextField label={`Text ${number}`} value={button.text} onChange={(text) => change({ text })} fault={faultOf(`buttons.${index}.text`)} />
              )}
              {button.type === 'QUICK_REPLY' ? (
                <span className="hint">Arrives as an event with this text.</span>
              ) : (
                <TextField
                  label={button.type === 'URL' ? `Link ${number}` : button.type === 'PHONE_NUMBER' ? `Number ${number}` : `Sample code ${number}`}
                  value={button.value}
                  onChange={(value) => change({ value })}
                  fault={faultOf(`buttons.${index}.${VALUE_FIELDS[button.type]}`)}
                  input={{ placeholder: VALUE_HINTS[button.type] }}
                />
              )}
              <Button look="ghost" icon={Trash2} aria-label={`Remove button ${number}`} onClick={() => set({ buttons: buttons.filter((_, at) => at !== index) })} />
            </div>
          );
        })}
        {faultOf('buttons') && buttons.length > 0 && <Note tone="bad">{faultOf('buttons')}</Note>}
        <div>
          <Button size="sm" icon={Plus} refusal={buttons.length < MAX_BUTTONS ? undefined : `At most ${MAX_BUTTONS} buttons`} onClick={() => set({ buttons: [...buttons, { type: 'QUICK_REPLY', text: '', value: '', sample: '' }] })}>
            Add button
          </Button>
        </div>
      </div>
    </section>
  );
}

const OTP_KINDS = [
  ['COPY_CODE', 'Copy code'],
  ['ONE_TAP', 'One tap'],
  ['ZERO_TAP', 'Zero tap'],
] as const;

/** An authentication template: the platform writes the text. */
function CodeParts({ form, set, faultOf }: Parts) {
  return (
    <>
      <section className="fieldset">
        <h2>
          Text<small>Written by the platform</small>
        </h2>
        <div className="stack">
          <Check label="Add “For your security, do not share this code.”" checked={form.hasRecommendation} onChange={() => set({ hasRecommendation: !form.hasRecommendation })} />
          <TextField label="Expires after, in minutes" isOptional hint="1 to 90. Shown under the code." value={form.expiryMinutes} onChange={(expiryMinutes) => set({ expiryMinutes })} fault={faultOf('footer.code_expiration_minutes')} input={{ inputMode: 'numeric' }} />
        </div>
      </section>
      <section className="fieldset">
        <h2>Button</h2>
        <div className="stack">
          <Segments label="How the code gets into the app" value={form.otpType} onChange={(otpType) => set({ otpType })} options={OTP_KINDS} />
          <TextField label="Text" value={form.otpText} onChange={(otpText) => set({ otpText })} fault={faultOf('buttons.0.text')} />
          {form.otpType !== 'COPY_CODE' && (
            <div className="two">
              <TextField label="Package name" value={form.packageName} onChange={(packageName) => set({ packageName })} fault={faultOf('buttons.0.supported_apps')} input={{ className: 'mono', placeholder: 'com.example.app' }} />
              <TextField label="Signature hash" value={form.signatureHash} onChange={(signatureHash) => set({ signatureHash })} input={{ className: 'mono' }} />
            </div>
          )}
          {form.otpType === 'ZERO_TAP' && (
            <Field label="Terms" fault={faultOf('buttons.0.zero_tap_terms_accepted')}>
              {({ id }) => <Check id={id} label="I accept the platform's terms of zero-tap" checked={form.acceptsZeroTap} onChange={() => set({ acceptsZeroTap: !form.acceptsZeroTap })} />}
            </Field>
          )}
        </div>
      </section>
    </>
  );
}
