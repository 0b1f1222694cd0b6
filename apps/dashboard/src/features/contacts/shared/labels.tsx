import { api, must, type Schemas } from '../../../api/client';
import { Choice } from '../../../components/controls';
import { useRead } from '../../../hooks/queries';
import { useFilters } from '../../../hooks/use-filters';

export type Label = Schemas['Label'];
export type LabelColour = Label['colour'];

/** Colours of labels, in the order of their selection. */
export const LABEL_COLOURS: readonly LabelColour[] = [
  'grey',
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
];

/** Returns the account's labels by name; undefined while they are loading. */
export function useLabels(): readonly Label[] | undefined {
  const { data } = useRead(['labels'], () => must(api.GET('/console/v1/labels')));
  return data?.labels;
}

export function LabelChip({ name, colour = 'grey' }: { name: string; colour?: LabelColour | undefined }) {
  return (
    <span className={`label-chip label-${colour}`} title={name}>
      <span className="cut" dir="auto">
        {name}
      </span>
    </span>
  );
}

/** Labels of a contact; nothing if it has none. */
export function LabelChips({ names }: { names: readonly string[] }) {
  const labels = useLabels();
  return names.map((name) => (
    <LabelChip key={name} name={name} colour={labels?.find((label) => label.name === name)?.colour} />
  ));
}

/** Filter of a list by label, kept in the address. Hidden while the account has no labels. */
export function LabelFilter() {
  const labels = useLabels();
  const [{ label }, filter] = useFilters();
  if (!label && !labels?.length) return null;
  return (
    <Choice
      label="Label"
      value={label}
      onChange={(chosen) => filter({ label: chosen })}
      options={(labels ?? []).map(({ name }) => name)}
    />
  );
}
