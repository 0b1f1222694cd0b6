import { normaliseLanguage } from '@switchboard/template-rules';
import { useState } from 'react';
import { api, must } from '../../api/client';
import { Button, Select, TextField } from '../../components/controls';
import { useRead } from '../../hooks/queries';
import { Failure, Note, Refused, Skeleton } from '../../components/display';
import { Dialog } from '../../components/overlays';
import { useTyping } from '../../components/use-typing';
import { useSend } from './send-message';
import { useChosen } from '../templates/shared/use-chosen-template';
import { formWith, isFilled, sentTemplate, unsendable, useValues } from '../templates/shared/send-values';
import { withSentSamples } from '../templates/shared/send-samples';
import { type SentTemplate, sentValues } from '../templates/shared/sent-template';
import { TemplateLook } from '../templates/shared/template-look';
import { TemplateValues } from '../templates/shared/template-values';

const MOST_TEMPLATES = 100;

export interface TemplateSenderProps {
  phone: string;
  /** Name of the contact, if known. */
  name?: string;
  /** Business number; defaults to the primary one. */
  from: string | undefined;
  /** Earlier message to send again: its template and values are filled in. */
  again?: SentTemplate | undefined;
  onClose(): void;
}

/** Form that selects an approved template, asks for its values and sends it. */
export function TemplateSender({ phone, name, from, again, onClose }: TemplateSenderProps) {
  const [id, setId] = useState<string>();
  const { read, search, hasMany } = useTemplates(again?.name);
  const listed = read.data?.templates ?? NONE;
  const isSame = (each: (typeof listed)[number] | undefined): boolean =>
    again !== undefined && each?.name === again.name && each.language === normaliseLanguage(again.language);
  // The user chooses: a template that nobody has read must not be one click away from the contact.
  const isOnly = !again && listed.length === 1 && read.data?.nextCursor === null && search.typed === '';
  const { template, choices } = useChosen(listed, id ?? listed.find(isSame)?.id, { isPreset: isOnly });
  const { variables, form, samples, values, setValues } = useValues(template, (asked) =>
    again && isSame(template) ? sentValues(asked, again) : {},
  );
  const send = useSend({ done: 'Message accepted by the platform.' });
  const isCode = template?.category === 'AUTHENTICATION';
  const submit = (): void => {
    if (!template) return;
    const of = from === undefined ? {} : { from };
    const body = { to: phone, ...of, type: 'template' as const, template: sentTemplate(template, values) };
    const complete = async () => ({
      ...body,
      template: sentTemplate(template, await withSentSamples(values, samples)),
    });
    send.mutate({ body, complete }, { onSuccess: onClose });
  };
  const refusal = (): string | undefined => {
    if (!template) return 'Choose a template';
    if (isCode) return 'One-time passwords can be sent only through the API';
    return unsendable(variables) ?? (isFilled(variables, values) ? undefined : 'Enter all values');
  };
  return (
    <Dialog
      title="Send template"
      about={`To ${name === undefined || name === phone ? phone : `${name} (${phone})`}${from === undefined ? '' : `, from ${from}`}. Templates can be sent outside the 24-hour service window.`}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={send.isPending} refusal={refusal()}>
            Send template
          </Button>
        </>
      }
    >
      <Refused error={send.error} fields={[]} />
      {hasMany && <TextField label="Name starts with" value={search.typed} onChange={search.type} />}
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && !template && <Skeleton lines={2} />}
      {choices.length > 0 && (
        <Select
          label="Template"
          value={template?.id ?? ''}
          onChange={setId}
          options={[
            ...(template ? [] : [['', 'Choose a template'] as const]),
            ...choices.map((each) => [each.id, `${each.name} (${each.language})`] as const),
          ]}
        />
      )}
      {again && read.data?.nextCursor === null && search.typed === again.name && !choices.some(isSame) && (
        <Note tone="warning">The template of the message is no longer approved.</Note>
      )}
      {read.data?.templates.length === 0 && (
        <p className="hint">No approved templates{search.typed && ' match this name'}.</p>
      )}
      {template && form && (
        <div className="quote">
          <div className="bubble out" data-testid="preview">
            <TemplateLook form={formWith(form, variables, values)} category={template.category} isFilled />
          </div>
        </div>
      )}
      {form && !isCode && <TemplateValues variables={variables} form={form} values={values} onValues={setValues} />}
    </Dialog>
  );
}

const NONE: never[] = [];

/** Reads the approved templates, filtered by name prefix when there are many. @param first initial prefix */
function useTemplates(first = '') {
  const [begin, setBegin] = useState(first);
  const [hasMany, setMany] = useState(first !== '');
  const search = useTyping({ value: begin, onChange: (text = '') => setBegin(text), isWhole: () => true });
  const read = useRead(['templates', 'approved', begin], () =>
    must(
      api.GET('/console/v1/templates', {
        params: { query: { status: 'APPROVED', limit: MOST_TEMPLATES, ...(begin && { name: begin }) } },
      }),
    ),
  );
  // Keep the search field once it is shown, even when a filter leaves a short list.
  if (read.data?.nextCursor && !hasMany) setMany(true);
  return { read, search, hasMany };
}
