import { useMemo, useRef, useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { AttemptKey } from '../../api/attempt-key';
import { Button, TextField } from '../../components/controls';
import { useChange } from '../../hooks/queries';
import { Note, Refused } from '../../components/display';
import { recipientOf } from '../../lib/recipients';
import { Dialog } from '../../components/overlays';
import type { TemplateForm } from './shared/template-form';
import { withSentSamples } from './shared/send-samples';
import {
  approvedSamples,
  askedOf,
  isFilled,
  samplesOf,
  sentTemplate,
  unsendable,
  type Values,
} from './shared/send-values';
import { TemplateValues } from './shared/template-values';

interface TestSendProps {
  template: Schemas['ManagedTemplate'];
  form: TemplateForm;
  onClose(): void;
}

export function TestSend({ template, form, onClose }: TestSendProps) {
  const { id, name, category } = template;
  const [to, setTo] = useState('');
  const asked = useMemo(() => askedOf(template), [template]);
  const [code, setCode] = useState('123456');
  const samples = useMemo(() => approvedSamples(asked, form), [asked, form]);
  const [given, setGiven] = useState<Values>(() => ({ ...samplesOf(asked), ...samples }));
  const isCode = category === 'AUTHENTICATION';
  // Body and button contain the same code.
  const values = isCode ? Object.fromEntries(asked.map(({ key }) => [key, code.trim()])) : given;
  const attempt = useRef(new AttemptKey());
  const send = useChange(
    async () => {
      const { variables, components } = sentTemplate(template, await withSentSamples(values, samples));
      const body = { to: recipientOf(to), ...(variables && { variables }), ...(components && { components }) };
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
  const isMissing = to === '' || !isFilled(asked, values);
  const refusal = unsendable(asked) ?? (isMissing ? 'Enter the phone number and all values' : undefined);
  return (
    <Dialog
      title={`Test send of ${name}`}
      about="Sends a real message: it is listed, reported to webhooks and counted by the platform."
      onClose={onClose}
      onSubmit={() => !refusal && !send.isPending && send.mutate(undefined)}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="primary" isBusy={send.isPending} refusal={refusal}>
            {send.data ? 'Send again' : 'Send'}
          </Button>
        </>
      }
    >
      <Refused error={send.error} fields={['to']} />
      {send.data && (
        <Note tone="success">
          Message accepted by the platform. <p className="mono">{send.data.id}</p>
        </Note>
      )}
      <TextField
        label="Phone number"
        hint="With country code, or the user ID of a contact with a hidden number"
        value={to}
        onChange={setTo}
        fault={send.error?.faultOf('to')}
        input={{ autoFocus: true, onBlur: () => setTo(recipientOf(to)), placeholder: '919812345678' }}
      />
      {isCode ? (
        <TextField label="Code" value={code} onChange={setCode} />
      ) : (
        <TemplateValues variables={asked} form={form} values={given} onValues={setGiven} />
      )}
    </Dialog>
  );
}
