export type Theme = 'light' | 'dark';
const KEY = 'switchboard.theme';

/** @returns the chosen theme; undefined: the system's */
export function chosenTheme(): Theme | undefined {
  const theme = localStorage.getItem(KEY);
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

export function shownTheme(): Theme {
  return chosenTheme() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

/** @param theme what to keep; absent: shows what was kept */
export function showTheme(theme?: Theme): void {
  if (theme) localStorage.setItem(KEY, theme);
  const chosen = theme ?? chosenTheme();
  if (chosen) document.documentElement.dataset.theme = chosen;
}
