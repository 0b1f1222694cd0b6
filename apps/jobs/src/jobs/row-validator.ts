import {
  AppError,
  canonicalPhone,
  type CardComponent,
  ERRORS,
  isUserId,
  jsonBytes,
  type JobRow,
  type JobRowFault,
  labelsOf,
  mediaReferences,
  type MessageLabels,
  parseBody,
  RecipientComponents,
  type RecipientFault,
  TEMPLATE_VALUES_MAX_BYTES,
  type TemplateComponent,
  TemplateFiller,
} from '@switchboard/contracts';
import type { CheckedJob, JobCheck } from './job-check';
import type { NewJob } from './new-job';
import { faultOfRow, variablesOfTemplate } from './row-components';

const TOO_LONG: JobRowFault = {
  code: 'TEXT_TOO_LONG',
  message: `components must take at most ${TEMPLATE_VALUES_MAX_BYTES / 1_024} KB as JSON, variables filled in`,
};

/** Faults in the file of a row. Messaging checks files last, so such components fit the template. */
const MEDIA_FAULTS: readonly string[] = ['MEDIA_NOT_FOUND', 'UNSUPPORTED_MEDIA'];

/** A validated recipient to be stored. */
export interface JudgedRow extends Required<MessageLabels> {
  position: number;
  phone: string;
  components: TemplateComponent[] | null;
  fault: JobRowFault | null;
}

interface Content {
  components: TemplateComponent[] | null;
  fault?: JobRowFault;
  /** True if only the messaging service can validate these components. */
  isToBeAsked?: boolean;
}

/**
 * Validates the rows of one job in batches. A fault in a single row rejects that row. A fault common to all rows
 * rejects the job.
 */
export class RowValidator {
  /** Keys of the recipients. Each receives one message, by whichever format of the number or user id. */
  private readonly people = new Set<string>();
  private readonly needsPhone: boolean;
  /** Set when the job sends a template. */
  private readonly filler?: TemplateFiller;
  private isVariablesChecked = false;
  /** True once a row has given its own values. From then on, each row without values is rejected individually. */
  private isFilledByRows = false;
  /** The job's own components that no validated row has used yet. */
  private readonly unchecked: Set<CardComponent>;
  /** Uploaded files that messaging has accepted, with the type of their use. */
  private readonly checkedMedia = new Set<string>();
  duplicates = 0;

  constructor(
    private readonly check: JobCheck,
    private readonly job: Pick<NewJob, 'accountId' | 'type' | 'message'>,
    private readonly checked: CheckedJob,
  ) {
    const { type, message } = job;
    this.acceptMedia(message);
    this.unchecked = new Set(partsOf(message.template?.components ?? []));
    this.needsPhone = checked.template?.category === 'AUTHENTICATION';
    if (!checked.template) return;
    this.filler = new TemplateFiller(variablesOfTemplate(checked.template), {
      own: message.template?.components,
      nameOf: ({ key, column }) => (type === 'excel' ? `column ${column}` : `variable ${key}`),
    });
  }

  /**
   * Validates the rows, and removes and counts those of repeated recipients.
   * @throws AppError TEMPLATE_PARAMS_MISMATCH when the job's own components do not match its template
   */
  async judge(rows: readonly JobRow[]): Promise<JudgedRow[]> {
    const contents = new Map<JobRow, Content>();
    this.isFilledByRows ||= rows.some((row) => !isBare(row));
    for (const row of rows) contents.set(row, await this.contentOf(row));
    const asked = [...contents.values()].filter(({ isToBeAsked }) => isToBeAsked);
    if (asked.length > 0) await this.judgeContents(asked);
    const keys = await this.keysOf(rows.filter((row) => !contents.get(row)?.fault));
    return rows.flatMap((row) => this.store(row, contents.get(row) as Content, keys));
  }

  /**
   * Returns the error of the job as a whole, after all rows were validated. Undefined if rows are rejected only
   * individually.
   */
  refusal(): AppError | undefined {
    const { ownFault } = this.checked;
    if (!ownFault || this.isFilledByRows) return undefined;
    return new AppError('TEMPLATE_PARAMS_MISMATCH', { message: ownFault.message });
  }

  private async contentOf(row: JobRow): Promise<Content> {
    const fault = faultOfRow(row, this.needsPhone);
    if (fault) return { components: null, fault };
    const { ownFault } = this.checked;
    if (isBare(row)) return { components: null, ...(ownFault && { fault: bareFault(ownFault) }) };
    if (!this.filler)
      return { components: null, fault: { code: 'INVALID_PARAMETER', message: 'only templates have variables' } };
    if (row.components !== undefined) return componentsOf(row.components);
    const filled = this.filler.fill(row.variables ?? []);
    if ('fault' in filled) return { components: null, fault: filled.fault };
    const isToBeAsked = this.hasUncheckedMedia(filled.components);
    if (jsonBytes(filled.components) > TEMPLATE_VALUES_MAX_BYTES) return { components: null, fault: TOO_LONG };
    await this.checkBeside(filled.components);
    return { ...filled, isToBeAsked };
  }

  /** Checks for an uploaded file that messaging has not accepted yet in this job. */
  private hasUncheckedMedia(components: readonly TemplateComponent[]): boolean {
    return mediaReferences(components).some(({ type, id }) => !this.checkedMedia.has(`${type} ${id}`));
  }

  /**
   * Checks the job's own components, which apply where a row gives no value. Each is checked with the first row that
   * uses it, so the number of checks is limited by the number of components and not by their combinations.
   */
  private async checkBeside(components: TemplateComponent[]): Promise<void> {
    const taken = partsOf(components).filter((component) => this.unchecked.has(component));
    if (this.isVariablesChecked && taken.length === 0) return;
    const [fault] = (await this.check.faultsOf(this.job.accountId, this.job.message, [{ components }])).values();
    if (fault && !MEDIA_FAULTS.includes(fault.code))
      throw new AppError('TEMPLATE_PARAMS_MISMATCH', { message: fault.message });
    this.isVariablesChecked = true;
    for (const component of taken) this.unchecked.delete(component);
  }

  private async judgeContents(contents: Content[]): Promise<void> {
    const recipients = contents.map(({ components }) => ({ components: components ?? [] }));
    const faults = await this.check.faultsOf(this.job.accountId, this.job.message, recipients);
    for (const [index, { code, message }] of faults) (contents[index] as Content).fault = { code, message };
    for (const { components, fault } of contents) if (!fault) this.acceptMedia(components);
  }

  private acceptMedia(content: unknown): void {
    for (const { type, id } of mediaReferences(content)) this.checkedMedia.add(`${type} ${id}`);
  }

  /** Returns the keys of known contacts by user id. Rows with phone numbers need no lookup. */
  private keysOf(rows: readonly JobRow[]): Promise<ReadonlyMap<string, string>> {
    return this.check.keysOfUsers(
      this.job.accountId,
      rows.map(({ phone }) => phone).filter((phone) => isUserId(phone)),
    );
  }

  private store(row: JobRow, { components, fault }: Content, keys: ReadonlyMap<string, string>): JudgedRow[] {
    const { position, phone } = row;
    const key = keys.get(phone) ?? canonicalPhone(phone);
    if (!fault && this.people.size === this.people.add(key).size) {
      this.duplicates += 1;
      return [];
    }
    return [{ position, phone, ...labelsOf(row), components: fault ? null : components, fault: fault ?? null }];
  }
}

/** Returns true if a row relies on the job's own components. */
function isBare({ variables, components }: JobRow): boolean {
  return variables === undefined && components === undefined;
}

function bareFault({ code, message }: RecipientFault): JobRowFault {
  return { code, message: `${message}; this recipient gives no variables of its own` };
}

/** Returns the components, including those of a carousel's cards. */
function partsOf(components: readonly TemplateComponent[]): CardComponent[] {
  return components.flatMap((component) => [component, ...(component.cards ?? []).flatMap((card) => card.components)]);
}

function componentsOf(components: unknown[]): Content {
  try {
    return { components: parseBody(RecipientComponents, { components }).components, isToBeAsked: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      components: null,
      fault: { code: error.code in ERRORS ? error.code : 'INVALID_PARAMETER', message: error.message },
    };
  }
}
