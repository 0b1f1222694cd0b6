export type Theme = 'light' | 'dark';
const KEY = 'switchboard.theme';

/** Returns the chosen theme; undefined follows the system. */
export function chosenTheme(): Theme | undefined {
  const theme = localStorage.getItem(KEY);
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

export function shownTheme(): Theme {
  return chosenTheme() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

/** Applies the theme. @param theme stored as the choice; if absent, the stored theme applies */
export function showTheme(theme?: Theme): void {
  if (theme) localStorage.setItem(KEY, theme);
  const chosen = theme ?? chosenTheme();
  if (chosen) document.documentElement.dataset.theme = chosen;
}
