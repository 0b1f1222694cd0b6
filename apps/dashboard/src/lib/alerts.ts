/** How this browser announces new messages while its tabs are in the background. */
export interface Alerts {
  sound: boolean;
  /** Desktop notifications, which the browser's own permission may still prevent. */
  desktop: boolean;
}

const KEY = 'switchboard.alerts';
const ALERTED_AT = 'switchboard.alerted-at';
/** Time in which several tabs announce the same message, in milliseconds. */
const SAME_MS = 2_000;
const TONES_HZ = [880, 1_175];
const TONE_SECONDS = 0.12;

export function readAlerts(): Alerts {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Alerts>;
    return { sound: stored.sound === true, desktop: stored.desktop === true };
  } catch {
    return { sound: false, desktop: false };
  }
}

export function storeAlerts(alerts: Alerts): void {
  localStorage.setItem(KEY, JSON.stringify(alerts));
}

/** Returns whether this browser has desktop notifications; only pages over HTTPS or on localhost do. */
export const canNotify = (): boolean => 'Notification' in window && isSecureContext;

/** Asks for the permission, which browsers allow only after a click. @returns whether it is granted and usable */
export async function allowNotifications(): Promise<boolean> {
  if (!canNotify() || (await Notification.requestPermission()) !== 'granted') return false;
  const sample = show('Notifications are on', {});
  sample?.close();
  return sample !== undefined;
}

/** Shows a notification. Returns undefined in browsers that allow it only to service workers, such as on Android. */
function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}

/**
 * Announces new messages as this browser is set, without their text. Does nothing while the user looks at the page, or
 * if another tab has just announced them.
 */
export function announce(unread: string): void {
  if (document.hasFocus()) return;
  const { sound, desktop } = readAlerts();
  if (!sound && !desktop) return;
  const now = Date.now();
  if (now - Number(localStorage.getItem(ALERTED_AT) ?? 0) < SAME_MS) return;
  localStorage.setItem(ALERTED_AT, String(now));
  if (sound) void playSound().catch(() => undefined);
  if (desktop && canNotify() && Notification.permission === 'granted') notify(unread);
}

function notify(unread: string): void {
  const notification = show('New message', {
    body: `${unread} unread ${unread === '1' ? 'conversation' : 'conversations'}`,
    tag: 'switchboard-message',
  });
  notification?.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
}

/** Plays two short tones. The browser rejects this until the user has clicked somewhere on the page. */
export async function playSound(): Promise<void> {
  const context = new AudioContext();
  await context.resume();
  const volume = new GainNode(context, { gain: 0.1 });
  volume.connect(context.destination);
  for (const [index, frequency] of TONES_HZ.entries()) {
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(volume);
    tone.start(context.currentTime + index * TONE_SECONDS);
    tone.stop(context.currentTime + (index + 1) * TONE_SECONDS);
    if (index === TONES_HZ.length - 1) tone.addEventListener('ended', () => void context.close());
  }
}
