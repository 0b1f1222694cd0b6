import { Reply } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/controls';
import { Note } from '../../components/display';
import { Dialog } from '../../components/overlays';
import { keyOf, nameOf } from '../contacts/shared/contact-parts';
import { Readable } from '../messages/shared/message-parts';
import { CardsContent, InteractiveContent, LocationContent } from '../messages/shared/special-contents';
import { ButtonsFields, CardFields, type FaultAt, ListFields, PlaceFields } from './new-message-fields';
import {
  contentOf,
  type Faults,
  faultsOf,
  type Forms,
  isUntouched,
  type Kind,
  NEW_FORMS,
  type NewMessageProps,
  TITLES,
} from './new-message-forms';
import { showWriting } from './presence';
import { attemptFor, keepForm, keepUnsent, unsentTo, useUnsent } from './reply-drafts';
import { type SendRequest, useSend } from './send-message';

/** Dialog that composes one message. Its draft outlives the dialog, a failed send and a reload. */
export function NewMessage({ kind, target: { contact, phone, from, answers }, onClose }: NewMessageProps) {
  const drafted = keyOf(contact);
  const forms = useUnsent(drafted).forms ?? {};
  const isEmpty = isUntouched(kind, forms[kind] ?? NEW_FORMS[kind]);
  // Fields show their errors once they were edited, or all of them: in an earlier draft and after an attempt to send.
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const [isChecked, setChecked] = useState(!isEmpty);
  const send = useSend({ attempt: attemptFor(`${drafted} ${kind}`) });
  const { faults, content, fields, preview } = partsOf(kind, forms);
  const change: Change = (form, field) => {
    setEdited(new Set([...edited, field]));
    keepForm(drafted, { [kind]: form });
    showWriting(contact.id);
  };
  const clear = (): void => {
    keepForm(drafted, { [kind]: undefined });
    setEdited(new Set());
    setChecked(false);
  };
  const faultAt: FaultAt = (field) => (isChecked || edited.has(field) ? faults[field] : undefined);
  const submit = (): void => {
    setChecked(true);
    if (Object.keys(faults).length > 0) return;
    const body = {
      to: phone,
      ...(from !== undefined && { from }),
      ...(answers && { context: { messageId: answers.id } }),
      ...content,
    } as SendRequest;
    // Handle the result even when another conversation is open by then.
    void send.mutateAsync({ body }).then(
      () => {
        if (unsentTo(drafted).forms?.[kind] !== forms[kind]) return;
        keepForm(drafted, { [kind]: undefined });
        if (unsentTo(drafted).answers === answers) keepUnsent(drafted, { answers: undefined });
        onClose();
      },
      () => undefined,
    );
  };
  return (
    <Dialog
      title={TITLES[kind]}
      about={`To ${nameOf(contact)}`}
      isGuarded={false}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          {!isEmpty && (
            <Button look="ghost" onClick={clear}>
              Clear
            </Button>
          )}
          <span className="push" />
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="primary" isBusy={send.isPending}>
            Send
          </Button>
        </>
      }
    >
      {send.error && (
        <Note tone="bad">
          {send.error.message}
          <p className="mono">{[send.error.code, send.error.more.requestId].filter(Boolean).join(' · ')}</p>
        </Note>
      )}
      {answers && (
        <span className="row small">
          <Reply className="i i-14" aria-hidden />
          <span className="cut" dir="auto">
            <span className="dimmer">Reply to: </span>
            <Readable message={answers} />
          </span>
        </span>
      )}
      {fields(change, faultAt)}
      <section className="quote new-message" aria-label="Preview">
        <div className="bubble out">{preview}</div>
      </section>
    </Dialog>
  );
}

type Change = (form: Forms[Kind], field: string) => void;

interface Parts {
  faults: Faults;
  content: object;
  fields: (change: Change, faultAt: FaultAt) => ReactNode;
  preview: ReactNode;
}

/** Returns the parts of the dialog for a form. The preview has the content that is sent. */
function partsOf(kind: Kind, drafts: Partial<Forms>): Parts {
  const forms = { ...NEW_FORMS, ...drafts };
  switch (kind) {
    case 'buttons': {
      const content = contentOf.buttons(forms.buttons);
      return {
        faults: faultsOf.buttons(forms.buttons),
        content,
        fields: (change, faultAt) => <ButtonsFields form={forms.buttons} change={change} faultAt={faultAt} />,
        preview: <InteractiveContent content={content.interactive} />,
      };
    }
    case 'list': {
      const content = contentOf.list(forms.list);
      return {
        faults: faultsOf.list(forms.list),
        content,
        fields: (change, faultAt) => <ListFields form={forms.list} change={change} faultAt={faultAt} />,
        preview: <InteractiveContent content={content.interactive} />,
      };
    }
    case 'location': {
      const content = contentOf.location(forms.location);
      return {
        faults: faultsOf.location(forms.location),
        content,
        fields: (change, faultAt) => <PlaceFields form={forms.location} change={change} faultAt={faultAt} />,
        preview: <LocationContent content={content.location} />,
      };
    }
    case 'contact': {
      const content = contentOf.contact(forms.contact);
      return {
        faults: faultsOf.contact(forms.contact),
        content,
        fields: (change, faultAt) => <CardFields form={forms.contact} change={change} faultAt={faultAt} />,
        preview: <CardsContent content={content.contacts} />,
      };
    }
  }
}
