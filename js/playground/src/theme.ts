/** Light or dark, as the system or the person wants it. */

import { useEffect, useState } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'virt-autopilot-theme';
const DARK = 'pf-v6-theme-dark';

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const dark = theme === 'dark' || (theme === 'system' && system.matches);
      document.documentElement.classList.toggle(DARK, dark);
    };
    apply();
    system.addEventListener('change', apply);
    return () => { system.removeEventListener('change', apply); };
  }, [theme]);
  return [
    theme,
    (chosen) => {
      setTheme(chosen);
      remember(chosen);
    },
  ];
}

/** Storage may be forbidden, which costs no more than the memory. */
function remembered(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It lasts as long as the page then.
  }
}
