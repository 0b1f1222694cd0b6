import type { TemplateVariable } from '@switchboard/template-rules';
import { api, must } from '../../api/client';
import { Check, Select } from '../../components/controls';
import { Failure } from '../../components/display';
import { useRead } from '../../hooks/queries';
import { counted, countText } from '../../lib/formats';
import { useLabels } from '../contacts/shared/labels';
import { labelOf } from '../templates/shared/send-values';
import type { TemplateForm } from '../templates/shared/template-form';
import { type AudienceForm, filtersOf, LAST_MESSAGES, namableOf, overLimit } from './audience';

/** Counts the matching contacts. Reads nothing until contacts are the source of the recipients. */
export function useAudienceCount(audience: AudienceForm, isChosen: boolean) {
  const query = filtersOf(audience);
  return useRead(['audience', query], () => must(api.GET('/console/v1/audience', { params: { query } })), {
    enabled: isChosen,
  });
}

interface AudienceFieldsProps {
  audience: AudienceForm;
  onAudience(changed: AudienceForm): void;
  count: ReturnType<typeof useAudienceCount>;
  /** Maximum recipients of a job in the account's plan; undefined while it is unknown. */
  limit: number | undefined;
}

/** Filters that choose the contacts, with the number of matches. */
export function AudienceFields({ audience, onAudience, count, limit }: AudienceFieldsProps) {
  const labels = useLabels() ?? [];
  const change = (changed: Partial<AudienceForm>): void => onAudience({ ...audience, ...changed });
  return (
    <fieldset className="plain stack-1">
      <legend className="sr">Contacts</legend>
      <Select
        label="Label"
        value={audience.labelId}
        onChange={(labelId) => change({ labelId })}
        options={[['', 'Any label, or none'], ...labels.map(({ id, name }) => [id, name] as const)]}
      />
      <Select
        label="Wrote to you"
        value={audience.lastMessage}
        onChange={(lastMessage) => change({ lastMessage })}
        options={LAST_MESSAGES}
      />
      <Check
        label="Omit contacts that opted out of marketing"
        checked={audience.optedIn}
        onChange={({ target }) => change({ optedIn: target.checked })}
      />
      <Check
        label="Only contacts with an open service window"
        checked={audience.windowOpen}
        onChange={({ target }) => change({ windowOpen: target.checked })}
      />
      <p className="hint">
        The window may be with any of your numbers, and must be open when the job is created. If a contact opts out
        later, only marketing templates are stopped. If one of your numbers blocks a contact later, only messages from
        this number are stopped.
      </p>
      {count.error ? (
        <Failure error={count.error} onRetry={() => void count.refetch()} />
      ) : (
        <p role="status" className="hint">
          {count.data ? countNote(count.data, limit) : 'Counting the contacts'}
        </p>
      )}
    </fieldset>
  );
}

function countNote({ count, isExact }: { count: number; isExact: boolean }, limit: number | undefined): string {
  const matches = isExact
    ? counted(count, 'contact matches', 'contacts match')
    : `At least ${countText(count)} contacts match`;
  const most = limit === undefined ? '' : ` ${overLimit(limit)}.`;
  return `${matches}.${most} Blocked contacts are omitted.`;
}

/** Choice of the variables that get the contact's name. */
export function NameVariables({
  variables,
  form,
  audience,
  onAudience,
}: Pick<AudienceFieldsProps, 'audience' | 'onAudience'> & {
  variables: readonly TemplateVariable[];
  form: TemplateForm;
}) {
  const namable = namableOf(variables);
  if (namable.length === 0) return null;
  const { nameVariables } = audience;
  return (
    <fieldset className="plain stack-1">
      <legend className="label">Names</legend>
      {namable.map((variable) => (
        <Check
          key={variable.key}
          label={`Contact's name as ${labelOf(variable, form)}`}
          checked={nameVariables.includes(variable.key)}
          onChange={({ target }) =>
            onAudience({
              ...audience,
              nameVariables: target.checked
                ? [...nameVariables, variable.key]
                : nameVariables.filter((key) => key !== variable.key),
            })
          }
        />
      ))}
      <p className="hint">
        The contact's name replaces the values of these variables. Contacts without a name get the value entered above.
      </p>
    </fieldset>
  );
}
