import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Form } from '../../components/controls';
import { useChange } from '../../hooks/queries';
import { Refused } from '../../components/display';
import { SaveButton } from './settings-save';

const ENDPOINTS = [
  [false, 'Like all other messages', 'Marketing leaves as everything else does.'],
  [
    true,
    'Through the Marketing Messages API',
    'The platform chooses when and how it shows a message, may change its pictures and text, and charges it as marketing_lite. It is for numbers whose business has accepted the terms of that API; from others marketing goes out like all other messages.',
  ],
] as const;

/** Setting for the marketing API. */
export function MarketingEndpoint({ settings }: { settings: Schemas['ShownSettings'] }) {
  const refusal = useRefusal('admin');
  const [isUsed, setIsUsed] = useState(settings.marketingEndpoint);
  const change = useChange(() => must(api.PATCH('/console/v1/settings', { body: { marketingEndpoint: isUsed } })), {
    done: 'Saved. The next marketing message goes this way.',
    quiet: true,
  });
  return (
    <Form className="fields" onSubmit={() => change.mutate(undefined)}>
      <Refused error={change.error} fields={[]} />
      <fieldset className="plain stack-2">
        <legend className="sr">How marketing is sent</legend>
        {ENDPOINTS.map(([value, title, text]) => (
          <label key={title} className="check">
            <input
              type="radio"
              name="marketing"
              checked={isUsed === value}
              disabled={refusal !== undefined}
              onChange={() => setIsUsed(value)}
            />
            <span>
              <span className="strong">{title}</span>
              <br />
              <span className="dim">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <SaveButton refusal={refusal} isBusy={change.isPending} text="Save way" />
    </Form>
  );
}
