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

/** First API calls and a webhook receiver in three languages, with this installation's URL. */
export function Page() {
  const [language, setLanguage] = useState<Language>('typescript');
  const guide = useRead(['api-guide'], () => must(api.GET('/console/v1/api-guide'))).data;
  const base = guide?.baseUrl ?? `${location.origin}/v1`;
  const call = (path: string, body: object): string =>
    `curl ${base}${path} \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body)}'`;
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
          <Code title="Test your key" text={`curl ${base}/me -H "Authorization: Bearer $API_KEY"`} />
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
          <Code
            title="Text"
            text={call('/messages/send', {
              to: '919812345678',
              type: 'text',
              text: { body: 'Your parcel is at the door.' },
            })}
          />
          <Code
            title="Template"
            text={call('/messages/send', {
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
            Set a unique <code className="mono">Idempotency-Key</code> header on each request. A retry with the same
            value does not send the message twice.
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
            label="Language"
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
      </div>
    </div>
  );
}
