import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { AttemptKey } from '../../api/attempt-key';
import { api, must, type Schemas } from '../../api/client';
import { useMe, useRefusal } from '../../api/session';
import { DATE_TIME_FAULT, DateTimeField } from '../../components/date-fields';
import { Button, Check, Form, Segments, TextArea, TextField } from '../../components/controls';
import { useChange, useRead } from '../../hooks/queries';
import { Failure, Note, PageHead } from '../../components/display';
import { timeOfField } from '../../lib/formats';
import { recipientsIn } from '../../lib/recipients';
import { ALL_CONTACTS, audienceFor, faultOfCount, overLimit, sentAudience } from './audience';
import { JobBill } from './job-bill';
import { JOB_NAME_MAX, nameOfFile } from './job-name';
import { useLabels } from '../contacts/shared/labels';
import { AudienceFields, NameVariables, useAudienceCount } from './job-contacts';
import { SampleLink, SheetColumns, SheetDrop, valuesForAllRows } from './job-spreadsheet';
import { NO_QUIET_HOURS, QuietHoursFields, sentQuietHours } from './quiet-hours';
import { RefusedRows } from './refused-rows';
import { RowSteps, valuesOfRow } from './row-steps';
import {
  formWith,
  isFilled,
  sentTemplate,
  unsendable,
  unsendableBySheet,
  useValues,
} from '../templates/shared/send-values';
import { toForm } from '../templates/shared/template-form';
import { Preview } from '../templates/shared/template-preview';
import { withSentSamples } from '../templates/shared/send-samples';
import { TemplateValues } from '../templates/shared/template-values';

type Template = Schemas['ManagedTemplate'];
type CreatedJob = Schemas['CreatedJob'];
type JobEstimate = Schemas['JobEstimate'];

/** Form of a job from one template: its source of recipients and its options, with the checked rows beside it. */
export function JobForm({ template, choice }: { template: Template; choice: ReactNode }) {
  const { name, language, category, components } = template;
  const { me } = useMe();
  const refusal = useRefusal('admin');
  const navigate = useNavigate();
  const account = useRead(['account'], () => must(api.GET('/console/v1/account')));
  const [month] = useState(() => new Date().toISOString().slice(0, 7));
  const usage = useRead(['usage', month, 'category'], () =>
    must(api.GET('/console/v1/usage', { params: { query: { month, by: 'category' } } })),
  );
  const [source, setSource] = useState<'sheet' | 'list' | 'contacts'>('sheet');
  // Values of one template do not fit another; recipients and the spreadsheet stay.
  const { variables, samples, values, setValues } = useValues(template);
  const form = useMemo(() => toForm(components, category), [components, category]);
  const [pasted, setPasted] = useState('');
  const [chosenAudience, setAudience] = useState(ALL_CONTACTS);
  const audience = audienceFor(chosenAudience, template.id);
  const matching = useAudienceCount(audience, source === 'contacts');
  const [sheet, setSheet] = useState<File>();
  const [from, setFrom] = useState<readonly string[]>([]);
  const [begin, setBegin] = useState('');
  const [typedName, setName] = useState<string>();
  const labels = useLabels();
  const [amount, setAmount] = useState('');
  const [quiet, setQuiet] = useState(NO_QUIET_HOURS);
  const attempt = useRef(new AttemptKey());
  const phones = useMemo(() => recipientsIn(pasted), [pasted]);
  const scheduledAt = timeOfField(begin);
  const ofLabel = labels?.find(({ id }) => id === audience.labelId)?.name;
  const nameOfSource = { sheet: sheet && nameOfFile(sheet.name), list: undefined, contacts: ofLabel }[source] ?? '';
  const jobName = (typedName ?? nameOfSource).trim();
  const more = { ...(jobName !== '' && { name: jobName }), ...(scheduledAt !== undefined && { scheduledAt }) };
  const currency = usage.data?.currency ?? undefined;
  const maxSpend = amount.trim() === '' || currency === undefined ? undefined : { amount: amount.trim(), currency };
  const chosen = from.length > 0;
  const { quietHours } = sentQuietHours(quiet);
  const fields = {
    templateName: name,
    language,
    hold: 'true' as const,
    ...(chosen && { from: from.join(',') }),
    ...(maxSpend && { maxSpend: JSON.stringify(maxSpend) }),
    ...(quietHours && { quietHours: JSON.stringify(quietHours) }),
    ...more,
  };
  const message = {
    type: 'template' as const,
    template: sentTemplate(template, values),
    ...(chosen && { from: [...from] }),
    ...(maxSpend && { maxSpend }),
    ...(quietHours && { quietHours }),
    ...more,
    hold: true,
  };
  const list = { ...message, recipients: phones };
  const contacts = { ...message, audience: sentAudience(audience) };
  const ofSource = {
    sheet: {
      ...fields,
      variables: valuesForAllRows(variables, values),
      file: sheet && [sheet.name, sheet.size, sheet.lastModified],
    },
    list,
    contacts,
  };
  const content = ofSource[source];
  const asked = JSON.stringify(content);
  const send = async (dryRun: boolean, headers: Record<string, string> = {}): Promise<CreatedJob | JobEstimate> => {
    const dry = dryRun && { dryRun };
    if (source !== 'sheet' || !sheet) {
      const sent = { template: sentTemplate(template, await withSentSamples(values, samples)), ...dry };
      return source === 'contacts'
        ? must(api.POST('/console/v1/jobs/contacts', { body: { ...contacts, ...sent }, headers }))
        : must(api.POST('/console/v1/jobs', { body: { ...list, ...sent }, headers }));
    }
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.set(field, value);
    const forAllRows = valuesForAllRows(variables, await withSentSamples(values, samples));
    if (Object.keys(forAllRows).length > 0) body.set('variables', JSON.stringify(forAllRows));
    if (dryRun) body.set('dryRun', 'true');
    body.set('customerExcel', sheet);
    const described = { customerExcel: '', templateName: name, language };
    return must(api.POST('/console/v1/jobs/excel', { body: described, bodySerializer: () => body, headers }));
  };
  const check = useChange(async () => ({ asked, estimate: (await send(true)) as JobEstimate }), { quiet: true });
  const create = useChange(
    () => attempt.current.of(content, (key) => send(false, { 'Idempotency-Key': key })) as Promise<CreatedJob>,
    { quiet: true },
  );
  // Hides a result that does not match the current form.
  const estimate = check.data?.asked === asked ? check.data.estimate : undefined;
  const error = create.error ?? check.error;
  const plan = account.data?.plan;
  const feature = source === 'sheet' ? 'BULK_EXCEL' : 'BULK_MSG_LIMIT';
  const limit = source === 'sheet' ? plan?.limits.excelRows : plan?.limits.bulkRecipients;
  const faultOfSource = {
    sheet: sheet === undefined ? 'Choose a spreadsheet' : undefined,
    list:
      limit !== undefined && phones.length > limit
        ? overLimit(limit)
        : phones.length === 0
          ? 'Enter at least one phone number'
          : undefined,
    contacts: faultOfCount(matching.data, limit),
  };
  const unfilled = source !== 'sheet' && !isFilled(variables, values) ? 'Enter all values' : undefined;
  const planRefusal = plan && !plan.features.includes(feature) ? PLAN_REFUSALS[feature] : undefined;
  const sheetRefusal = unsendableBySheet(variables);
  const unfit = source === 'sheet' ? sheetRefusal : unsendable(variables);
  const undated = begin !== '' && scheduledAt === undefined ? DATE_TIME_FAULT : undefined;
  const uncapped = amount.trim() !== '' && currency === undefined ? NO_CURRENCY : undefined;
  const stop = refusal ?? planRefusal ?? unfit ?? faultOfSource[source] ?? unfilled ?? undated ?? uncapped;
  const numbers = account.data?.numbers ?? [];
  const [step, setStep] = useState<{ asked: string; at: number }>();
  const rows = estimate?.sampleRows ?? [];
  const at = Math.min(step?.asked === asked ? step.at : 0, Math.max(rows.length - 1, 0));
  const forAllRows = source === 'sheet' ? valuesForAllRows(variables, values) : values;
  const given = { ...forAllRows, ...valuesOfRow(rows[at]) };
  const shown = formWith(form, variables, given);
  return (
    <div className="editor">
      <div className="editor-form">
        <div className="page">
          <PageHead title="New job" />
          <div className="stack">
            {refusal && <Note tone="info">{refusal}</Note>}
            {planRefusal && <Note tone="info">{planRefusal}</Note>}
            {account.error && <Failure error={account.error} onRetry={() => void account.refetch()} />}
            <Form
              className="fields"
              onSubmit={() => {
                if (stop) return;
                create.reset();
                check.mutate(undefined);
              }}
            >
              {choice}
              <div className="field">
                <span className="label">Recipients</span>
                <Segments
                  label="Recipients"
                  value={source}
                  onChange={setSource}
                  options={[
                    ['sheet', 'Spreadsheet'],
                    ['list', 'List of numbers'],
                    ['contacts', 'Contacts'],
                  ]}
                />
              </div>
              {source === 'contacts' && (
                <>
                  <AudienceFields audience={audience} onAudience={setAudience} count={matching} limit={limit} />
                  <TemplateValues variables={variables} form={form} values={values} onValues={setValues} />
                  <NameVariables variables={variables} form={form} audience={audience} onAudience={setAudience} />
                </>
              )}
              {source === 'sheet' && (
                <>
                  <SheetDrop
                    file={sheet}
                    limit={limit ?? 0}
                    recipients={plan?.limits.bulkRecipients ?? 0}
                    refusal={refusal ?? sheetRefusal}
                    onFile={setSheet}
                  />
                  <SheetColumns
                    template={template}
                    variables={variables}
                    samples={samples}
                    values={values}
                    onValues={setValues}
                    refusal={sheetRefusal}
                  />
                </>
              )}
              {source === 'list' && (
                <>
                  <TextArea
                    label="Phone numbers"
                    hint="One per line, with country code. Spaces, dashes and a plus sign are allowed. User IDs are allowed, too."
                    rows={8}
                    meter={[phones.length, limit ?? 0]}
                    value={pasted}
                    onChange={setPasted}
                  />
                  <TemplateValues variables={variables} form={form} values={values} onValues={setValues} />
                </>
              )}
              <TextField
                label="Job name"
                isOptional
                hint="Only your team sees it. Without a name, the job is called by its template."
                value={typedName ?? nameOfSource}
                onChange={setName}
                input={{ maxLength: JOB_NAME_MAX, autoComplete: 'off' }}
                fault={error?.faultOf('name')}
              />
              {numbers.length > 1 && (
                <fieldset className="plain stack-1">
                  <legend className="label">From</legend>
                  {numbers.map(({ phoneNumber }) => (
                    <Check
                      key={phoneNumber}
                      label={`+${phoneNumber}`}
                      checked={from.includes(phoneNumber)}
                      onChange={({ target }) =>
                        setFrom((chosen) =>
                          target.checked ? [...chosen, phoneNumber] : chosen.filter((number) => number !== phoneNumber),
                        )
                      }
                    />
                  ))}
                  <p className="hint">
                    {from.length > 1
                      ? 'The recipients are spread over these numbers. Each recipient gets the message once.'
                      : 'Choose several numbers to send faster. Without a choice, the primary number sends.'}
                  </p>
                </fieldset>
              )}
              <DateTimeField
                label="Scheduled start"
                isOptional
                hint="If you start the job earlier, it waits until this time."
                value={begin}
                onChange={setBegin}
                fault={error?.faultOf('scheduledAt')}
              />
              <QuietHoursFields value={quiet} onChange={setQuiet} faultOf={(field) => error?.faultOf(field)} />
              <TextField
                label={currency === undefined ? 'Max spend' : `Max spend (${currency})`}
                isOptional
                hint={
                  usage.error
                    ? NO_CURRENCY
                    : usage.data?.currency === null
                      ? 'This installation has no rate card, so a spend cap cannot be enforced.'
                      : 'The job pauses before a message that would exceed this amount.'
                }
                value={amount}
                onChange={setAmount}
                input={{ inputMode: 'decimal', disabled: currency === undefined }}
                fault={error?.faultOf('maxSpend.amount') ?? error?.faultOf('maxSpend')}
              />
              <RefusedRows error={error} sample={source === 'sheet' && <SampleLink template={template} />} />
              <div className="row wrap">
                <Button type="submit" look={estimate ? undefined : 'primary'} refusal={stop} isBusy={check.isPending}>
                  {check.isPending && source === 'sheet' ? 'Reading the spreadsheet' : 'Check rows'}
                </Button>
                <span className="hint">Shows the price, and who gets no message. Nothing is created yet.</span>
              </div>
            </Form>
            {estimate && (
              <JobBill estimate={estimate} quietHours={quietHours}>
                <Button
                  look="primary"
                  refusal={stop}
                  isBusy={create.isPending}
                  onClick={() =>
                    create.mutate(undefined, {
                      onSuccess: ({ jobId }) => void navigate({ to: '/jobs/$jobId', params: { jobId } }),
                    })
                  }
                >
                  Create job
                </Button>
              </JobBill>
            )}
          </div>
        </div>
      </div>
      <Preview form={shown} language={language} category={category} account={me.account.name}>
        {estimate && rows.length > 0 ? (
          <RowSteps
            rows={rows}
            at={at}
            accepted={estimate.accepted}
            onStep={(chosenRow) => setStep({ asked, at: chosenRow })}
          />
        ) : (
          !estimate && <p className="hint">Check the rows to step through them here.</p>
        )}
      </Preview>
    </div>
  );
}

const PLAN_REFUSALS = {
  BULK_EXCEL: 'Your plan does not include jobs from spreadsheets (BULK_EXCEL).',
  BULK_MSG_LIMIT: 'Your plan does not include bulk messages (BULK_MSG_LIMIT).',
} as const;

const NO_CURRENCY = 'The currency of spend caps is not known at the moment. Try again later.';
