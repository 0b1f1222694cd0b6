import { LateDialog } from '../../components/late-dialog';
import type { TemplateSenderProps } from './template-sender';

/** The template sender, loaded when it opens. */
export function TemplateSender(props: TemplateSenderProps) {
  return (
    <LateDialog
      name="template-sender"
      title="Send template"
      load={() => import('./template-sender')}
      onClose={props.onClose}
    >
      {(module) => <module.TemplateSender {...props} />}
    </LateDialog>
  );
}
