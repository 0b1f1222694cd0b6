import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Form } from '../../components/controls';
import { useChange } from '../../hooks/queries';
import { Refused } from '../../components/display';
import { SaveButton } from './settings-save';

const ENDPOINTS = [
  [false, 'Standard', 'Marketing templates are sent like all other messages.'],
  [
    true,
    'Marketing Messages API',
    'The platform decides when and how to show a message, may adapt its images and text, and charges its own price (category marketing lite). Requires a business that has accepted the terms of this API. For other numbers, the standard route is used.',
  ],
] as const;

export function MarketingEndpoint({ settings }: { settings: Schemas['ShownSettings'] }) {
  const refusal = useRefusal('admin');
  const [isUsed, setIsUsed] = useState(settings.marketingEndpoint);
  const change = useChange(() => must(api.PATCH('/console/v1/settings', { body: { marketingEndpoint: isUsed } })), {
    done: 'Saved. Applies from the next marketing message.',
    quiet: true,
  });
  return (
    <Form className="fields" onSubmit={() => change.mutate(undefined)}>
      <Refused error={change.error} fields={[]} />
      <fieldset className="plain stack-2">
        <legend className="sr">Route for marketing templates</legend>
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
      <SaveButton refusal={refusal} isBusy={change.isPending} text="Save route" />
    </Form>
  );
}
