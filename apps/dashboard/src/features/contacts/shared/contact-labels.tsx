import { Tag } from 'lucide-react';
import { useRefusal } from '../../../api/session';
import { Button } from '../../../components/controls';
import { Failure } from '../../../components/display';
import { useLateCode } from '../../../components/late-dialog';
import { usePopover } from '../../../components/use-popover';
import type { Labelled, LabelPicker } from './label-picker';
import { LabelChips } from './labels';

/** Labels of a contact with a button to change them. */
export function ContactLabels({ contact }: { contact: Labelled }) {
  const refusal = useRefusal('agent');
  const { box, isOpen, setOpen, close } = usePopover();
  return (
    <div className="contact-labels" role="group" aria-label="Labels">
      <div className="menu-box" ref={box}>
        <Button
          look="ghost"
          size="sm"
          icon={Tag}
          refusal={refusal}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {contact.labels.length > 0 ? 'Labels' : 'Add label'}
        </Button>
        {isOpen && <LatePicker contact={contact} onClose={close} onLeave={() => setOpen(false)} />}
      </div>
      <LabelChips names={contact.labels} />
    </div>
  );
}

/** The picker, loaded when it opens. */
function LatePicker(props: React.ComponentProps<typeof LabelPicker>) {
  const { data, error, refetch } = useLateCode('label-picker', () => import('./label-picker'));
  if (data) return <data.LabelPicker {...props} />;
  return error && <Failure error={error} onRetry={() => void refetch()} />;
}
