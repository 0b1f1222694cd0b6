import { useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { Button, TextField } from '../kit/controls';
import { useChange } from '../kit/data';
import { Note, Refused } from '../kit/display';
import { Dialog } from '../kit/overlays';
import { isMedia, sampleSend, type TemplateForm, variablesOf } from './template-form';

interface TestSendProps {
  template: Schemas['ManagedTemplate'];
  form: TemplateForm;
  onClose(): void;
}

/** Sends the template to one phone. Every variable of header, body and links is asked for first. */
export function TestSend({ template, form, onClose }: TestSendProps) {
  const { id, name, language, category } = template;
  const [to, setTo] = useState('');
  const [link, setLink] = useState('');
  const [filled, setFilled] = useState(form);
  const send = useChange(
    () => {
      const { components } = sampleSend({ name, language, category, form: filled, link }).template;
      return must(
        api.POST('/console/v1/templates/{templateId}/test-sends', {
          params: { path: { templateId: id } },
          body: { to, ...(components && { components }) },
        }),
      );
    },
    { quiet: true },
  );
  const variables = category === 'AUTHENTICATION' ? [] : variablesOf(filled);
  const needsLink = isMedia(form.header);
  const isMissing = variables.some(({ value }) => value.trim() === '') || to === '' || (needsLink && link === '');
  return (
    <Dialog
      title={`Send ${name} to a phone`}
      about="A message as any other: it is listed, reported to webhooks, and counts at the platform."
      onClose={onClose}
      onSubmit={() => send.mutate(undefined)}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Close</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={send.isPending}
            refusal={isMissing ? 'First give the phone and every value' : undefined}
          >
            Send
          </Button>
        </>
      }
    >
      <Refused error={send.error} fields={['to']} />
      {send.data && (
        <Note tone="success">
          The platform took it.
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
      {needsLink && (
        <TextField
          label="Address of the file"
          hint="The platform fetches the header's file from there"
          value={link}
          onChange={setLink}
          input={{ type: 'url', placeholder: 'https://example.com/menu.png' }}
        />
      )}
      {variables.map(({ name: variable, where, value, change }) => (
        <TextField
          key={`${where} ${variable}`}
          label={`{{${variable}}} of ${where}`}
          value={value}
          onChange={(text) => setFilled({ ...filled, ...change(text) })}
        />
      ))}
    </Dialog>
  );
}
