import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import node from '../guide/receiver.mjs?raw';
import php from '../guide/receiver.php?raw';
import python from '../guide/receiver.py?raw';
import { Segments } from '../kit/controls';
import { Code, PageHead } from '../kit/display';

const RECEIVERS = { node, python, php };
type Language = keyof typeof RECEIVERS;

/** The first calls, and a receiver of webhooks in three languages, with this installation's own address. */
export function Page() {
  const [language, setLanguage] = useState<Language>('node');
  const base = `${location.origin}/v1`;
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
        <section className="stack">
          <h2>1. Sign in</h2>
          <p className="dim">
            Each request carries a key as bearer token. Create one under{' '}
            <Link className="link" to="/keys">
              API keys
            </Link>{' '}
            and keep it where your server keeps its secrets.
          </p>
          <Code title="Who am I?" text={`curl ${base}/me -H "Authorization: Bearer $SWITCHBOARD_KEY"`} />
        </section>
        <section className="stack">
          <h2>2. Send</h2>
          <p className="dim">
            Free text works for 24 hours after the person has written to you. At any other time only an approved{' '}
            <Link className="link" to="/templates">
              template
            </Link>{' '}
            works.
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
            Send an <code className="mono">Idempotency-Key</code> header with a value of your own: then a repeated
            request sends nothing twice.
          </p>
        </section>
        <section className="stack">
          <h2>3. Receive</h2>
          <p className="dim">
            Add the address of this receiver under{' '}
            <Link className="link" to="/integrations/messaging/webhook-settings">
              Webhook settings
            </Link>
            . It answers the challenge, checks the signature over the raw body, and knows an event by its id when it
            comes twice.
          </p>
          <Segments
            label="Language"
            value={language}
            onChange={setLanguage}
            options={[
              ['node', 'Node'],
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
