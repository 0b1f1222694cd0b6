import { useRef, useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { AttemptKey } from '../api/attempt-key';
import { Button, TextField } from '../kit/controls';
import { useChange } from '../kit/data';
import { Note, Refused } from '../kit/display';
import { Dialog } from '../kit/overlays';
import type { TemplateForm } from './template-form';
import { isFilled, TemplateValues } from './template-values';
import { sampleSend } from './template-sends';

interface TestSendProps {
  template: Schemas['ManagedTemplate'];
  form: TemplateForm;
  onClose(): void;
}

/** Sends the template to one phone. Every variable of header, body and buttons is asked for first. */
export function TestSend({ template, form, onClose }: TestSendProps) {
  const { id, name, language, category } = template;
  const [to, setTo] = useState('');
  const [link, setLink] = useState('');
  const [code, setCode] = useState('123456');
  const [filled, setFilled] = useState(form);
  const attempt = useRef(new AttemptKey());
  const send = useChange(
    () => {
      const { components } = sampleSend({ name, language, category, form: filled, link, code }).template;
      const body = { to, ...(components && { components }) };
      return attempt.current.of(body, (key) =>
        must(
          api.POST('/console/v1/templates/{templateId}/test-sends', {
            params: { path: { templateId: id } },
            headers: { 'Idempotency-Key': key },
            body,
          }),
        ),
      );
    },
    { quiet: true },
  );
  const isCode = category === 'AUTHENTICATION';
  const isMissing = to === '' || (isCode ? code.trim() === '' : !isFilled(filled, link));
  return (
    <Dialog
      title={`Send ${name} to a phone`}
      about="This is a real message: the service lists it and reports it to webhooks, and the platform counts it."
      onClose={onClose}
      onSubmit={() => !isMissing && !send.isPending && send.mutate(undefined)}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Close</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={send.isPending}
            refusal={isMissing ? 'Enter the phone and every value first' : undefined}
          >
            {send.data ? 'Send again' : 'Send'}
          </Button>
        </>
      }
    >
      <Refused error={send.error} fields={['to']} />
      {send.data && (
        <Note tone="success">
          The platform has accepted the message.
          <p className="mono">{send.data.id}</p>
        </Note>
      )}
      <TextField
        label="Phone"
        hint="With its country code, digits only"
        value={to}
        onChange={setTo}
        fault={send.error?.faultOf('to')}
        input={{ inputMode: 'numeric', autoFocus: true, placeholder: '919812345678' }}
      />
      {isCode ? (
        <TextField label="Code" value={code} onChange={setCode} />
      ) : (
        <TemplateValues form={filled} onForm={setFilled} link={link} onLink={setLink} />
      )}
    </Dialog>
  );
}
