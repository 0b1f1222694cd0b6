import { LABEL_COLOURS, type LabelColour } from '@switchboard/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Label of an account. */
@Entity('labels')
export class Label {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) name: string;
  /** Result of `labelKey`: equal for names that differ only in case. */
  @Column({ name: 'name_key', type: 'text' }) nameKey: string;
  @Column({ type: 'text' }) colour: LabelColour;
  /** Time of deletion. The label is invisible from then on, until a sweep has removed it from all contacts. */
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true }) deletedAt: Date | null;
}

/** Returns the form of a name without case and repeated blanks, which is unique in an account. */
export function labelKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

export const alphabet = new Intl.Collator('en');

/** Sorts names of labels. Done here, because the collation of the database is unknown. */
export const inAlphabeticalOrder = (names: readonly string[]): string[] => [...names].sort(alphabet.compare);

/** Returns the colour of a label that the API creates. Cycles through the colours by the number of labels. */
export function nextColour(count: number): LabelColour {
  return LABEL_COLOURS[(count + 1) % LABEL_COLOURS.length] ?? 'grey';
}
