import { Plus } from 'lucide-react';
import type { Schemas } from '../../api/client';
import { LateDialog } from '../../components/late-dialog';
import { Menu } from '../../components/overlays';
import type { Message } from '../messages/shared/message-parts';
import type { Kind } from './new-message-forms';

export const TITLES: Record<Kind, string> = {
  buttons: 'Reply buttons',
  list: 'List',
  location: 'Location',
  contact: 'Contact card',
};
const KINDS = Object.keys(TITLES) as Kind[];

export interface Target {
  contact: Schemas['ContactDetail'];
  phone: string;
  from: string | undefined;
  answers: Message | undefined;
}

interface MenuProps {
  refusal: string | undefined;
  onChoose(kind: Kind): void;
}

/** Menu of message types besides text, files and templates. */
export function NewMessageMenu({ refusal, onChoose }: MenuProps) {
  return (
    <Menu
      label="Add to message"
      icon={Plus}
      isAbove
      refusal={refusal}
      items={KINDS.map((kind) => ({ text: TITLES[kind], onChoose: () => onChoose(kind) }))}
    />
  );
}

export interface NewMessageProps {
  kind: Kind;
  target: Target;
  onClose(): void;
}

/** Dialog that composes one message, loaded when it opens. */
export function NewMessage(props: NewMessageProps) {
  const { kind, onClose } = props;
  return (
    <LateDialog name="new-message" title={TITLES[kind]} load={() => import('./new-message-dialog')} onClose={onClose}>
      {(module) => <module.NewMessage key={kind} {...props} />}
    </LateDialog>
  );
}
