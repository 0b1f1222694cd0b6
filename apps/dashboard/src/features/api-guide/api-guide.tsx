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
  -H "Authorization: Bearer $SWITCHBOARD_KEY" \\
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
            This installation is a sandbox. A simulator takes the place of the messaging platform: its page shows every
            message, and you can write back as a customer.
          </Note>
        )}
        <section className="stack">
          <h2>1. Sign in</h2>
          <p className="dim">
            Each request carries an API key as its bearer token. Create a key under{' '}
            <Link className="link" to="/keys">
              API keys
            </Link>
            . Keep it where your server keeps its secrets.
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
                'A key begins with',
                <span key="prefix" className="mono">
                  {guide?.keyPrefix ?? '–'}
                </span>,
              ],
            ]}
          />
          <Code title="Who am I?" text={`curl ${base}/me -H "Authorization: Bearer $SWITCHBOARD_KEY"`} />
        </section>
        <section className="stack">
          <h2>2. Send</h2>
          <p className="dim">
            You can send free text for 24 hours after a person has written to you. At any other time you need an
            approved{' '}
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
              template: { name: 'order_update', language: { code: 'en_US' } },
            })}
          />
          <p className="dim">
            Give each request an <code className="mono">Idempotency-Key</code> header with a value of your own. When you
            repeat a request with the same value, the service sends nothing twice.
          </p>
        </section>
        <section className="stack">
          <h2>3. Receive</h2>
          <p className="dim">
            Add the address of this receiver under{' '}
            <Link className="link" to="/integrations/messaging/webhook-settings">
              Webhook settings
            </Link>
            . The receiver answers the challenge and checks the signature of the raw body. It recognises an event that
            comes twice by its id. It accepts both secrets while you rotate the secret.
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
