import { Bell, Volume2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/controls';
import { useToasts } from '../../components/toasts';
import {
  type Alerts as Chosen,
  allowNotifications,
  canNotify,
  playSound,
  readAlerts,
  storeAlerts,
} from '../../lib/alerts';

/** Settings for sound and desktop notifications, stored in this browser. */
export function Alerts() {
  const { tell } = useToasts();
  const [alerts, setAlerts] = useState(readAlerts);
  const store = (changed: Partial<Chosen>): void => {
    const next = { ...alerts, ...changed };
    storeAlerts(next);
    setAlerts(next);
  };
  const toggleDesktop = async (): Promise<void> => {
    if (alerts.desktop) return store({ desktop: false });
    if (await allowNotifications()) return store({ desktop: true });
    tell({ kind: 'bad', text: 'Notifications are blocked. Allow them for this site in the browser settings.' });
  };
  const toggleSound = (): void => {
    store({ sound: !alerts.sound });
    // The first tone shows what to expect, and the click allows the browser to play later ones.
    if (!alerts.sound) void playSound().catch(() => undefined);
  };
  return (
    <div className="stack-2">
      <p className="hint">
        Both alert you to new messages while you use another window. They never contain the text of a message.
      </p>
      <div className="row wrap">
        <Button size="sm" icon={Volume2} onClick={toggleSound}>
          {alerts.sound ? 'Turn sound off' : 'Turn sound on'}
        </Button>
        <Button
          size="sm"
          icon={Bell}
          refusal={canNotify() ? undefined : 'Desktop notifications require HTTPS.'}
          onClick={() => void toggleDesktop()}
        >
          {alerts.desktop ? 'Turn desktop notifications off' : 'Turn desktop notifications on'}
        </Button>
      </div>
    </div>
  );
}
