import { Plus } from 'lucide-react';
import { LateDialog } from '../../components/late-dialog';
import { Menu } from '../../components/overlays';
import { type Kind, type NewMessageProps, TITLES } from './new-message-forms';

const KINDS = Object.keys(TITLES) as Kind[];

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

/** Dialog that composes one message, loaded when it opens. */
export function NewMessage(props: NewMessageProps) {
  const { kind, onClose } = props;
  return (
    <LateDialog name="new-message" title={TITLES[kind]} load={() => import('./new-message-dialog')} onClose={onClose}>
      {(module) => <module.NewMessage key={kind} {...props} />}
    </LateDialog>
  );
}
