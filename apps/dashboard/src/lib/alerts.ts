/** Alerts for new messages while the tabs of this browser are in the background. */
export interface Alerts {
  sound: boolean;
  /** Desktop notifications. They also require the browser's permission. */
  desktop: boolean;
}

const KEY = 'switchboard.alerts';
const ALERTED_AT = 'switchboard.alerted-at';
/** Time in milliseconds within which several tabs alert only once. */
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

/** Returns true if the browser supports notifications on this page, which requires HTTPS or localhost. */
export const canNotify = (): boolean => 'Notification' in window && isSecureContext;

/**
 * Requests the permission; call it in a click handler.
 * @returns true if the browser grants it and shows notifications
 */
export async function allowNotifications(): Promise<boolean> {
  if (!canNotify() || (await Notification.requestPermission()) !== 'granted') return false;
  const sample = show('Notifications are on', {});
  sample?.close();
  return sample !== undefined;
}

/** Shows a notification. Returns undefined in browsers where only service workers can, such as on Android. */
function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}

/**
 * Alerts the user to new messages according to the settings, without their text. Does nothing while the page has the
 * focus, or if another tab has just done so.
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

/** Plays two short tones. Rejects until the user has clicked on the page. */
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
