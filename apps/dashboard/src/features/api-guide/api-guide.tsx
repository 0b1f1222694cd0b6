import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import php from './receivers/receiver.php?raw';
import python from './receivers/receiver.py?raw';
import typescript from './receivers/receiver.ts?raw';
import { api, must } from '../../api/client';
import { Segments } from '../../components/controls';
import { useRead } from '../../hooks/queries';
import { Code, Facts, Note, PageHead } from '../../components/display';

const RECEIVERS = { typescript, python, php };
type Language = keyof typeof RECEIVERS;

const CALLERS = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const;
type Caller = (typeof CALLERS)[number][0];

const indented = (value: unknown, margin: string): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${margin}`);

/** Writes a call that sends a message, in the language of the reader. */
const SENDS: Record<Caller, (base: string, body: Record<string, unknown>) => string> = {
  curl: (base, body) => `curl ${base}/messages/send \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -d '${indented(body, '  ')}'`,
  typescript: (base, body) => `import { createClient } from 'switchboard-client';

const switchboard = createClient({
  baseUrl: '${base}',
  apiKey: process.env.API_KEY ?? '',
});

console.log(await switchboard.sendMessage(${indented(body, '')}));`,
  python: (base, body) => `import os
from switchboard import Switchboard

switchboard = Switchboard("${base}", os.environ["API_KEY"])

print(switchboard.send_message(
${Object.entries(body)
  .map(([name, value]) => `    ${name}=${indented(value, '    ')},`)
  .join('\n')}
))`,
};

const NEXT = [
  ['errors-and-retries', 'Errors and retries', 'which requests to repeat, and when'],
  ['idempotency', 'Idempotency', 'how a lost response never becomes a second message'],
  ['templates', 'Templates', 'variables, media and buttons'],
  ['testing', 'Testing', 'numbers that fail on purpose'],
  ['going-live', 'Going live', 'the checklist before the first real message'],
] as const;

/** First API calls and a webhook receiver in three languages, with this installation's URL. */
export function Page() {
  const [language, setLanguage] = useState<Language>('typescript');
  const guide = useRead(['api-guide'], () => must(api.GET('/console/v1/api-guide'))).data;
  const [caller, setCaller] = useState<Caller>('curl');
  const base = guide?.baseUrl ?? `${location.origin}/v1`;
  const docs = base.replace(/\/v1$/, '/docs');
  return (
    <div className="page narrow">
      <PageHead title="API guide">
        <a className="btn sm" href="/docs">
          API reference
        </a>
      </PageHead>
      <div className="prose">
        {guide?.simulatorUrl && (
          <Note
            tone="info"
            actions={
              <a className="btn sm" href={guide.simulatorUrl} target="_blank" rel="noreferrer">
                Open the simulator
              </a>
            }
          >
            This installation is a sandbox: a simulator replaces the messaging platform. Its page shows every message
            and lets you reply as a customer.
          </Note>
        )}
        <section className="stack">
          <h2>1. Authenticate</h2>
          <p className="dim">
            Send an API key as the bearer token of each request. Create a key under{' '}
            <Link className="link" to="/keys">
              API keys
            </Link>
            . Store it with your server’s other secrets.
          </p>
          <Facts
            rows={[
              [
                'Base URL',
                <span key="base" className="mono">
                  {base}
                </span>,
              ],
              [
                'Key prefix',
                <span key="prefix" className="mono">
                  {guide?.keyPrefix ?? '–'}
                </span>,
              ],
            ]}
          />
          <Code
            title="Test your key"
            text={`export API_KEY=${guide?.keyPrefix ?? ''}…\ncurl ${base}/me \\\n  -H "Authorization: Bearer $API_KEY"`}
          />
        </section>
        <section className="stack">
          <h2>2. Send a message</h2>
          <p className="dim">
            You can send free-form text for 24 hours after a customer’s last message. At any other time, use an approved{' '}
            <Link className="link" to="/templates">
              template
            </Link>
            .
          </p>
          <Segments label="Language of the calls" value={caller} onChange={setCaller} options={CALLERS} />
          {caller === 'typescript' && <Code title="Install the client" text={`npm install ${docs}/client.tgz`} />}
          <Code
            title="Text"
            text={SENDS[caller](base, {
              to: '919812345678',
              type: 'text',
              text: { body: 'Your parcel is at the door.' },
            })}
          />
          <Code
            title="Template"
            text={SENDS[caller](base, {
              to: '919812345678',
              type: 'template',
              template: {
                name: 'order_update',
                language: { code: 'en_US' },
                variables: { 1: 'A-17', 2: 'Monday', 'button 1': 'track/A-17' },
              },
            })}
          />
          <p className="dim">
            A retry with the same <code className="mono">Idempotency-Key</code> header does not send the message twice.
            The clients set it. To follow a message, search for its <code className="mono">id</code> under{' '}
            <Link className="link" to="/messages">
              Messages
            </Link>
            .
          </p>
        </section>
        <section className="stack">
          <h2>3. Receive events</h2>
          <p className="dim">
            Add the URL of this receiver under{' '}
            <Link className="link" to="/integrations/messaging/webhook-settings">
              Webhook settings
            </Link>
            . The receiver responds to the challenge, verifies the signature of the raw body and ignores duplicate
            events by their ID. During a rotation it accepts both secrets.
          </p>
          <Segments
            label="Language of the receiver"
            value={language}
            onChange={setLanguage}
            options={[
              ['typescript', 'TypeScript'],
              ['python', 'Python'],
              ['php', 'PHP'],
            ]}
          />
          <Code title="Receiver" text={RECEIVERS[language]} />
        </section>
        <section className="stack">
          <h2>4. Next steps</h2>
          <ul className="stack-1">
            {NEXT.map(([name, title, about]) => (
              <li key={name}>
                <a className="link" href={`/docs/guides/${name}`}>
                  {title}
                </a>
                <span className="dim">: {about}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}
