import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Check, Form, TextArea, TextField } from '../../components/controls';
import { useChange, useRead } from '../../hooks/queries';
import { Failure, PageHead, Refused, Skeleton } from '../../components/display';
import { Confirm } from '../../components/overlays';
import { Labels } from './settings-labels';
import { MarketingEndpoint } from './settings-marketing';
import { RateCard } from './settings-rates';
import { SaveButton } from './settings-save';
import { TimeZone } from './settings-time-zone';

type Settings = Schemas['ShownSettings'];
type Policy = Settings['windowPolicy'];

const POLICIES: readonly (readonly [Policy, string, string])[] = [
  [
    'enforce',
    'Reject',
    'Nothing is sent, and the sender learns at once that only a template can be sent now. API error: WINDOW_CLOSED.',
  ],
  [
    'upstream',
    'Let the platform decide',
    'The message is sent. If the platform has no open window, the message fails with the platform’s reason.',
  ],
];

const SECTIONS = [
  ['time-zone', 'Time zone'],
  ['service-window', 'Service window'],
  ['labels', 'Labels'],
  ['opt-out-words', 'Opt-out words'],
  ['marketing-messages', 'Marketing messages'],
  ['retention', 'Retention'],
  ['rate-card', 'Rate card'],
] as const;

export function Page() {
  const read = useRead(['settings'], () => must(api.GET('/console/v1/settings')));
  const settings = read.data?.settings;
  return (
    <div className="page narrow">
      <PageHead title="Settings" />
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && !read.error && <Skeleton lines={8} />}
      {settings && (
        <>
          <nav className="anchors" aria-label="Settings">
            {SECTIONS.map(([hash, text]) => (
              <Link key={hash} className="link" to="/settings" hash={hash} replace>
                {text}
              </Link>
            ))}
          </nav>
          <section className="fieldset" id="time-zone">
            <h2>
              Time zone<small>Times in lists, charts and fields of the dashboard</small>
            </h2>
            <TimeZone />
          </section>
          <section className="fieldset" id="service-window">
            <h2>
              Service window<small>24 hours after a customer’s last message</small>
            </h2>
            <WindowPolicy settings={settings} />
          </section>
          <section className="fieldset" id="labels">
            <h2>
              Labels<small>For contacts and their conversations</small>
            </h2>
            <Labels />
          </section>
          <section className="fieldset" id="opt-out-words">
            <h2>
              Opt-out words<small>Customers who send one of these words receive no more marketing messages</small>
            </h2>
            <Words settings={settings} />
          </section>
          <section className="fieldset" id="marketing-messages">
            <h2>
              Marketing messages<small>Route for marketing templates</small>
            </h2>
            <MarketingEndpoint settings={settings} />
          </section>
          <section className="fieldset" id="retention">
            <h2>
              Retention<small>Older data is permanently deleted</small>
            </h2>
            <Retention settings={settings} />
          </section>
          <section className="fieldset" id="rate-card">
            <h2>
              Rate card<small>Platform prices per message</small>
            </h2>
            <RateCard />
          </section>
        </>
      )}
    </div>
  );
}

function WindowPolicy({ settings }: { settings: Settings }) {
  const refusal = useRefusal('admin');
  const [policy, setPolicy] = useState(settings.windowPolicy);
  const change = useChange(() => must(api.PATCH('/console/v1/settings', { body: { windowPolicy: policy } })), {
    done: 'Saved. Applies from the next message.',
    quiet: true,
  });
  return (
    <Form className="fields" onSubmit={() => change.mutate(undefined)}>
      <Refused error={change.error} fields={[]} />
      <p className="hint">Applies to messages other than templates while the recipient’s 24-hour window is not open.</p>
      <fieldset className="plain stack-2">
        <legend className="sr">Policy outside the service window</legend>
        {POLICIES.map(([value, title, text]) => (
          <label key={value} className="check">
            <input
              type="radio"
              name="policy"
              checked={policy === value}
              disabled={refusal !== undefined}
              onChange={() => setPolicy(value)}
            />
            <span>
              <span className="strong">{title}</span>
              <br />
              <span className="dim">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <SaveButton refusal={refusal} isBusy={change.isPending} text="Save policy" />
    </Form>
  );
}

function Words({ settings }: { settings: Settings }) {
  const refusal = useRefusal('admin');
  const [optOut, setOptOut] = useState(settings.optOutWords);
  const [optIn, setOptIn] = useState(settings.optInWords);
  const change = useChange(
    () =>
      must(
        api.PATCH('/console/v1/settings', {
          body: {
            ...(optOut ? { optOutWords: wordsIn(optOut) } : { usualOptOutWords: true }),
            ...(optIn ? { optInWords: wordsIn(optIn) } : { usualOptInWords: true }),
          },
        }),
      ),
    { done: 'Saved. Applies from the next inbound message.', quiet: true },
  );
  return (
    <Form className="fields" onSubmit={() => change.mutate(undefined)}>
      <Refused error={change.error} fields={['optOutWords', 'optInWords']} />
      <WordList
        label="Opt-out words"
        usual={settings.defaultOptOutWords}
        words={optOut}
        onChange={setOptOut}
        refusal={refusal}
        fault={change.error?.faultOf('optOutWords')}
      />
      <WordList
        label="Opt-in words"
        usual={settings.defaultOptInWords}
        words={optIn}
        onChange={setOptIn}
        refusal={refusal}
        fault={change.error?.faultOf('optInWords')}
      />
      <p className="hint">
        The message must consist of one of the words. Case and surrounding punctuation and emoji are ignored. A word in
        both lists opts out. Contacts who have opted out stay opted out.
      </p>
      <SaveButton refusal={refusal} isBusy={change.isPending} text="Save words" />
    </Form>
  );
}

const wordsIn = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter(Boolean);

interface WordListProps {
  label: string;
  usual: readonly string[];
  /** Null uses the built-in list. */
  words: string[] | null;
  onChange(words: string[] | null): void;
  refusal: string | undefined;
  fault: string | undefined;
}

function WordList({ label, usual, words, onChange, refusal, fault }: WordListProps) {
  return (
    <div className="stack-2">
      <Check
        label={
          <span>
            {label}: default list <span className="dimmer">({usual.join(', ')})</span>
          </span>
        }
        checked={words === null}
        disabled={refusal !== undefined}
        onChange={({ target }) => onChange(target.checked ? null : [...usual])}
      />
      {words !== null && (
        <TextArea
          label={label}
          hint="One per line"
          rows={4}
          value={words.join('\n')}
          onChange={(text) => onChange(text.split('\n'))}
          fault={fault}
        />
      )}
    </div>
  );
}

interface Kept {
  days: string;
  isDefault: boolean;
}

const keptOf = (days: number | null, usual: number): Kept => ({
  days: String(days ?? usual),
  isDefault: days === null,
});
const daysOf = ({ days, isDefault }: Kept): number | null => (isDefault ? null : Number(days));

function Retention({ settings }: { settings: Settings }) {
  const refusal = useRefusal('owner');
  const [messages, setMessages] = useState(() => keptOf(settings.messageDays, 365));
  const [media, setMedia] = useState(() => keptOf(settings.mediaDays, 90));
  const [events, setEvents] = useState(() => keptOf(settings.eventDays, settings.effectiveEventDays));
  const [isAsking, setAsking] = useState(false);
  const [messageDays, mediaDays, eventDays] = [messages, media, events].map(daysOf);
  const change = useChange(
    () =>
      must(
        api.PATCH('/console/v1/settings/retention', {
          body: {
            ...(messageDays ? { messageDays } : { messagesForever: true }),
            ...(mediaDays ? { mediaDays } : { mediaForever: true }),
            ...(eventDays ? { eventDays } : { eventsLikeLog: true }),
          },
        }),
      ),
    { done: 'Saved. Older data is deleted within an hour.', quiet: true },
  );
  const fault = [messages, media, events].some(({ days, isDefault }) => !isDefault && !/^[1-9][0-9]{0,4}$/.test(days))
    ? 'Enter days as whole numbers from 1'
    : undefined;
  return (
    <Form className="fields" onSubmit={() => setAsking(true)}>
      <Refused error={change.error} fields={['messageDays', 'mediaDays', 'eventDays']} />
      <Days
        label="Messages"
        about="Includes their files. Bulk jobs are kept for the same period after they end."
        word="Keep forever"
        kept={messages}
        onChange={setMessages}
        refusal={refusal}
        fault={change.error?.faultOf('messageDays')}
      />
      <Days
        label="Files"
        about="Images, videos and documents from customers. The messages themselves are kept."
        word="Keep as long as their messages"
        kept={media}
        onChange={setMedia}
        refusal={refusal}
        fault={change.error?.faultOf('mediaDays')}
      />
      <Days
        label="Webhook events"
        about={`Events and their deliveries. Currently kept for ${settings.effectiveEventDays} days.`}
        word="Use the installation default"
        kept={events}
        onChange={setEvents}
        refusal={refusal}
        fault={change.error?.faultOf('eventDays')}
      />
      <SaveButton refusal={refusal ?? fault} isBusy={change.isPending} text="Save retention" />
      {isAsking && (
        <Confirm
          title="Change retention?"
          about="Older data is permanently deleted within an hour. Statistics are kept."
          action="Change retention"
          isBusy={change.isPending}
          onConfirm={() => change.mutate(undefined, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  );
}

interface DaysProps {
  label: string;
  about: string;
  /** Label of the checkbox that selects the default. */
  word: string;
  kept: Kept;
  onChange(kept: Kept): void;
  refusal: string | undefined;
  fault: string | undefined;
}

function Days({ label, about, word, kept, onChange, refusal, fault }: DaysProps) {
  return (
    <fieldset className="plain stack-1">
      <legend className="label">{label}</legend>
      <p className="hint">{about}</p>
      <Check
        label={word}
        checked={kept.isDefault}
        disabled={refusal !== undefined}
        onChange={({ target }) => onChange({ ...kept, isDefault: target.checked })}
      />
      {!kept.isDefault && (
        <TextField
          label={`Days to keep ${label.toLowerCase()}`}
          value={kept.days}
          onChange={(days) => onChange({ ...kept, days })}
          fault={fault}
          input={{ inputMode: 'numeric', disabled: refusal !== undefined }}
        />
      )}
    </fieldset>
  );
}
