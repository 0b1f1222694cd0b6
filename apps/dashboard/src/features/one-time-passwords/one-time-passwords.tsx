import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Legend, LineChart, type Series } from '../../components/charts';
import { Button, Check, Form, Select, TextField } from '../../components/controls';
import { useChange, useRead } from '../../hooks/queries';
import { Empty, Failure, Figure, Note, PageHead, Refused, Skeleton } from '../../components/display';
import { counted, countText, percentText } from '../../lib/formats';

type Settings = Schemas['OtpSettingsRecord'];
type Template = NonNullable<Settings['template']>;

const CHART_DAYS = 30;
const LOOK_MS = 30_000;

export function Page() {
  const settings = useRead(['otp-settings'], () => must(api.GET('/console/v1/otp/settings')));
  return (
    <div className="page narrow">
      <PageHead title="One-time passwords">
        <Link className="btn sm" to="/api-guide">
          API guide
        </Link>
      </PageHead>
      {settings.data?.settings.template === null && (
        <Note tone="warning">One-time passwords require a template. Choose one below.</Note>
      )}
      <Codes />
      <section className="section">
        {settings.error && <Failure error={settings.error} onRetry={() => void settings.refetch()} />}
        {settings.isPending && !settings.error && <Skeleton lines={6} />}
        {settings.data && (
          <div className="fieldset">
            <h2>
              Settings<small>Changes apply to the next code</small>
            </h2>
            <SettingsForm settings={settings.data.settings} />
          </div>
        )}
      </section>
    </div>
  );
}

function Codes() {
  const figures = useRead(
    ['figures', CHART_DAYS],
    () => must(api.GET('/console/v1/figures', { params: { query: { days: CHART_DAYS } } })),
    { everyMs: () => LOOK_MS },
  );
  const days = figures.data?.days ?? [];
  const of = (name: keyof Schemas['CodeFigures']): number[] => days.map(({ codes }) => codes[name]);
  const total = (name: keyof Schemas['CodeFigures']): number => of(name).reduce((sum, value) => sum + value, 0);
  const series: Series[] = [
    { name: 'Sent', look: 'delivered', hasArea: true, values: of('sent') },
    { name: 'Verified', look: 'read', values: of('verified') },
    { name: 'Failed', look: 'failed', values: of('failed') },
  ];
  if (!figures.data)
    return figures.error ? (
      <Failure error={figures.error} onRetry={() => void figures.refetch()} />
    ) : (
      <Skeleton lines={6} />
    );
  const [sent, verified] = [total('sent'), total('verified')];
  return (
    <>
      <dl className="figures block">
        <Figure name="Sent" value={countText(sent)} note={`in ${CHART_DAYS} days`} />
        <Figure
          name="Verified"
          value={sent === 0 ? undefined : percentText(verified / sent)}
          note={counted(verified, 'code')}
        />
        <Figure name="Failed" value={countText(total('failed'))} note="rejected or given up" />
        <Figure name="Failed verifications" value={countText(total('refused'))} note="wrong, expired, used or locked" />
      </dl>
      <section className="section" aria-labelledby="code-days">
        <div className="section-head">
          <h2 id="code-days">Codes per day</h2>
          <span className="count">{CHART_DAYS} days, in UTC</span>
          <Legend series={series} />
        </div>
        {series.some(({ values }) => values.some((value) => value !== 0)) ? (
          <LineChart label="Codes per day" unit="day" starts={days.map(({ at }) => at)} series={series} />
        ) : (
          <Empty icon={Lock} title="No codes yet">
            Codes of the last {CHART_DAYS} days appear here. The API guide shows how to send one.
          </Empty>
        )}
      </section>
    </>
  );
}

const keyOf = ({ name, language }: Template): string => `${name} ${language}`;

function SettingsForm({ settings }: { settings: Settings }) {
  const refusal = useRefusal('owner');
  const [template, setTemplate] = useState(settings.template ? keyOf(settings.template) : '');
  const [isEverywhere, setEverywhere] = useState(settings.countries === null);
  const [countries, setCountries] = useState(settings.countries?.join(', ') ?? '');
  const [perPrefix, setPerPrefix] = useState(String(settings.sendsPerPrefix));
  const templates = useRead(['templates', 'for-codes'], () =>
    must(api.GET('/console/v1/templates', { params: { query: { status: 'APPROVED', limit: 100 } } })),
  );
  const usable = (templates.data?.templates ?? [])
    .filter(({ category }) => category !== 'MARKETING')
    .map(({ name, language }) => ({ name, language }));
  const known = settings.template && !usable.some((one) => keyOf(one) === keyOf(settings.template as Template));
  const options = [...(known ? [settings.template as Template] : []), ...usable];
  const chosen = options.find((one) => keyOf(one) === template);
  const codes = countries
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  const change = useChange(
    () =>
      must(
        api.PATCH('/console/v1/otp/settings', {
          body: {
            ...(chosen && { template: chosen }),
            ...(isEverywhere ? { allCountries: true } : { countries: codes }),
            sendsPerPrefix: Number(perPrefix),
          },
        }),
      ),
    { done: 'Saved. The next code uses these settings.', quiet: true },
  );
  const fault = !/^[1-9][0-9]{0,3}$/.test(perPrefix)
    ? 'Enter a limit from 1 to 1,000'
    : !isEverywhere && codes.length === 0
      ? 'Enter at least one country'
      : undefined;
  return (
    <Form className="fields" onSubmit={() => change.mutate(undefined)}>
      <Refused error={change.error} fields={['countries', 'sendsPerPrefix']} />
      {templates.error && <Failure error={templates.error} onRetry={() => void templates.refetch()} />}
      <Select
        label="Template"
        hint="An approved authentication or utility template. Its first variable is the code. An optional second variable is the validity in minutes."
        value={template}
        onChange={setTemplate}
        options={[['', 'None'], ...options.map((one) => [keyOf(one), `${one.name} (${one.language})`] as const)]}
      />
      <fieldset className="plain stack-1">
        <legend className="label">Countries</legend>
        <p className="hint">To limit fraud, restrict the countries that codes can be sent to.</p>
        <Check
          label="Send to all countries"
          checked={isEverywhere}
          disabled={refusal !== undefined}
          onChange={({ target }) => setEverywhere(target.checked)}
        />
        {!isEverywhere && (
          <TextField
            label="Allowed countries"
            hint="Two-letter ISO codes, for example IN, DE"
            value={countries}
            onChange={setCountries}
            fault={change.error?.faultOf('countries')}
            input={{ disabled: refusal !== undefined }}
          />
        )}
      </fieldset>
      <TextField
        label="Hourly limit per number range"
        hint="Applies to numbers that differ only in their last four digits, a common fraud pattern. At most 1,000."
        value={perPrefix}
        onChange={setPerPrefix}
        fault={change.error?.faultOf('sendsPerPrefix')}
        input={{ inputMode: 'numeric', disabled: refusal !== undefined }}
      />
      <p className="hint">A code is valid for 10 minutes, unless the request that sends it sets another time.</p>
      <div>
        <Button type="submit" size="sm" refusal={refusal ?? fault} isBusy={change.isPending}>
          Save settings
        </Button>
      </div>
    </Form>
  );
}
