import { useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { Button, Select, TextField } from '../kit/controls';
import { useRead } from '../kit/data';
import { Failure, Refused, Skeleton } from '../kit/display';
import { Dialog } from '../kit/overlays';
import { useSend } from './send-message';
import { toForm } from './template-form';
import { isFilled, TemplateValues } from './template-values';
import { sampleSend, withoutSamples } from './template-variables';

type Template = Schemas['ManagedTemplate'];
const MOST_TEMPLATES = 100;

interface TemplateSenderProps {
  phone: string;
  /** Our number; the primary one when absent. */
  from: string | undefined;
  onClose(): void;
}

/** Chooses an approved template, asks for every value and sends it. */
export function TemplateSender({ phone, from, onClose }: TemplateSenderProps) {
  const [begin, setBegin] = useState('');
  const [id, setId] = useState('');
  const read = useRead(['templates', 'approved', begin], () =>
    must(
      api.GET('/console/v1/templates', {
        params: { query: { status: 'APPROVED', limit: MOST_TEMPLATES, ...(begin && { name: begin }) } },
      }),
    ),
  );
  const templates = read.data?.templates ?? [];
  const template = templates.find((each) => each.id === id) ?? templates[0];
  const choose = (
    <>
      {(begin !== '' || read.data?.nextCursor) && (
        <TextField label="Name begins with" value={begin} onChange={setBegin} />
      )}
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Skeleton lines={2} />}
      {template && (
        <Select
          label="Template"
          value={template.id}
          onChange={setId}
          options={templates.map((each) => [each.id, `${each.name} (${each.language})`] as const)}
        />
      )}
      {read.data && !template && <p className="hint">There is no approved template{begin && ' under this name'}.</p>}
    </>
  );
  return template ? (
    <Values key={template.id} {...{ phone, from, onClose, template, choose }} />
  ) : (
    <Dialog title="Send a template" onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      {choose}
    </Dialog>
  );
}

interface ValuesProps extends TemplateSenderProps {
  template: Template;
  choose: React.ReactNode;
}

function Values({ phone, from, onClose, template, choose }: ValuesProps) {
  const { name, language, category, components } = template;
  const [form, setForm] = useState(() => withoutSamples(toForm(components, category)));
  const [link, setLink] = useState('');
  const send = useSend({ done: 'The platform has accepted the message.' });
  const isCode = category === 'AUTHENTICATION';
  const submit = (): void => {
    const sent = sampleSend({ name, language, category, form, link }).template;
    const of = from === undefined ? {} : { from };
    send.mutate({ body: { to: phone, ...of, type: 'template', template: sent } }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title="Send a template"
      about={`To ${phone}. Templates reach people outside the 24-hour window, too.`}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={send.isPending}
            refusal={
              isCode
                ? 'Only the API sends codes, because it makes and checks them'
                : !isFilled(form, link)
                  ? 'Enter every value first'
                  : undefined
            }
          >
            Send template
          </Button>
        </>
      }
    >
      <Refused error={send.error} fields={[]} />
      {choose}
      {form.body !== '' && (
        <div className="quote">
          <div className="bubble">
            <span className="body" dir="auto">
              {form.body}
            </span>
          </div>
        </div>
      )}
      {!isCode && <TemplateValues form={form} onForm={setForm} link={link} onLink={setLink} />}
    </Dialog>
  );
}
