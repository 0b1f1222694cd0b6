import { MAX_BODY, MAX_OFFER_BODY } from '@switchboard/template-rules';
import { Bold, Braces, Code, Italic, type LucideIcon, Strikethrough } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Button, Field } from '../../../components/controls';
import { At } from './template-bar';
import type { Parts } from './template-buttons';
import { type Edited, insertVariable, toggleMark } from './text-editing';

const MARKS: readonly (readonly [mark: string, label: string, icon: LucideIcon])[] = [
  ['*', 'Bold', Bold],
  ['_', 'Italic', Italic],
  ['~', 'Strikethrough', Strikethrough],
  ['```', 'Monospace', Code],
];

/** Body text; formatting and variables are inserted at the cursor. */
export function BodyText({ form: { body, offer }, set, faultOf }: Parts) {
  const area = useRef<HTMLTextAreaElement>(null);
  const selected = useRef<Edited>(undefined);
  // Select after the text is rendered.
  useLayoutEffect(() => {
    if (!selected.current) return;
    area.current?.focus();
    area.current?.setSelectionRange(selected.current.start, selected.current.end);
    selected.current = undefined;
  }, [body]);
  const edit = (change: (edited: Edited) => Edited): void => {
    const { selectionStart: start, selectionEnd: end } = area.current ?? { selectionStart: 0, selectionEnd: 0 };
    selected.current = change({ text: body, start, end });
    set({ body: selected.current.text });
  };
  return (
    <section className="fieldset">
      <h2>
        Body<small>Required</small>
      </h2>
      <At fields={['body.text', 'body']}>
        <Field
          label="Body text"
          hint="*bold*, _italic_ and ~struck~ work as in chats. Variables are numbers, {{1}}, or names, {{first_name}}."
          meter={[body.length, offer === null ? MAX_BODY : MAX_OFFER_BODY]}
          fault={faultOf('body.text', 'body')}
        >
          {(props) => (
            <div className="rich" aria-invalid={props['aria-invalid']}>
              <div className="rich-bar" role="toolbar" aria-label="Formatting">
                {MARKS.map(([mark, label, icon]) => (
                  <Button
                    key={label}
                    look="ghost"
                    size="sm"
                    icon={icon}
                    aria-label={label}
                    title={label}
                    onClick={() => edit((edited) => toggleMark(edited, mark))}
                  />
                ))}
                <Button look="ghost" size="sm" icon={Braces} className="push" onClick={() => edit(insertVariable)}>
                  Add variable
                </Button>
              </div>
              <textarea
                {...props}
                ref={area}
                className="textarea"
                rows={6}
                value={body}
                onChange={(event) => set({ body: event.target.value })}
              />
            </div>
          )}
        </Field>
        {/\}\}\s*$/.test(body) && (
          <Button size="sm" className="repair" onClick={() => set({ body: `${body.trimEnd()}.` })}>
            Add a full stop
          </Button>
        )}
      </At>
    </section>
  );
}
