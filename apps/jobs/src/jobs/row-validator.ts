import {
  AppError,
  canonicalPhone,
  type CardComponent,
  ERRORS,
  jsonBytes,
  type JobRow,
  type JobRowFault,
  labelsOf,
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
  /** Canonical numbers. Each receives one message, whatever the format of its row. */
  private readonly phones = new Set<string>();
  /** Set when the job sends a template. */
  private readonly filler?: TemplateFiller;
  private isVariablesChecked = false;
  /** True once a row has given its own values. From then on, each row without values is rejected individually. */
  private isFilledByRows = false;
  /** The job's own components that no validated row has used yet. */
  private readonly unchecked: Set<CardComponent>;
  duplicates = 0;

  constructor(
    private readonly check: JobCheck,
    private readonly job: NewJob,
    private readonly checked: CheckedJob,
  ) {
    const { type, message } = job;
    this.unchecked = new Set(partsOf(message.template?.components ?? []));
    if (!checked.template) return;
    this.filler = new TemplateFiller(variablesOfTemplate(checked.template), {
      own: message.template?.components,
      nameOf: ({ key, column }) => (type === 'excel' ? `column ${column}` : `variable ${key}`),
    });
  }

  /**
   * Validates the rows, and removes and counts those with repeated numbers.
   * @throws AppError TEMPLATE_PARAMS_MISMATCH when the job's own components do not match its template
   */
  async judge(rows: readonly JobRow[]): Promise<JudgedRow[]> {
    const contents = new Map<JobRow, Content>();
    this.isFilledByRows ||= rows.some((row) => !isBare(row));
    for (const row of rows) contents.set(row, await this.contentOf(row));
    const asked = [...contents.values()].filter(({ isToBeAsked }) => isToBeAsked);
    if (asked.length > 0) await this.judgeContents(asked);
    return rows.flatMap((row) => this.store(row, contents.get(row) as Content));
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
    const fault = faultOfRow(row);
    if (fault) return { components: null, fault };
    const { ownFault } = this.checked;
    if (isBare(row)) return { components: null, ...(ownFault && { fault: bareFault(ownFault) }) };
    if (!this.filler)
      return { components: null, fault: { code: 'INVALID_PARAMETER', message: 'only templates have variables' } };
    if (row.components !== undefined) return componentsOf(row.components);
    const filled = this.filler.fill(row.variables ?? []);
    if ('fault' in filled) return { components: null, fault: filled.fault };
    if (jsonBytes(filled.components) > TEMPLATE_VALUES_MAX_BYTES) return { components: null, fault: TOO_LONG };
    await this.checkBeside(filled.components);
    return filled;
  }

  /**
   * Checks the job's own components, which apply where a row gives no value. Each is checked with the first row that
   * uses it, so the number of checks is limited by the number of components and not by their combinations.
   */
  private async checkBeside(components: TemplateComponent[]): Promise<void> {
    const taken = partsOf(components).filter((component) => this.unchecked.has(component));
    if (this.isVariablesChecked && taken.length === 0) return;
    const [fault] = (await this.check.faultsOf(this.job.accountId, this.job.message, [{ components }])).values();
    if (fault) throw new AppError('TEMPLATE_PARAMS_MISMATCH', { message: fault.message });
    this.isVariablesChecked = true;
    for (const component of taken) this.unchecked.delete(component);
  }

  private async judgeContents(contents: Content[]): Promise<void> {
    const recipients = contents.map(({ components }) => ({ components: components ?? [] }));
    const faults = await this.check.faultsOf(this.job.accountId, this.job.message, recipients);
    for (const [index, { code, message }] of faults) (contents[index] as Content).fault = { code, message };
  }

  private store(row: JobRow, { components, fault }: Content): JudgedRow[] {
    const { position, phone } = row;
    if (!fault && this.phones.size === this.phones.add(canonicalPhone(phone)).size) {
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
