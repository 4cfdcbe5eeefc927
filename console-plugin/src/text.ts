/** The plugin's texts, by the keys of its locale files. */

import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import type locale from '../locales/en/plugin__virt-autopilot-console-plugin.json';

type Base<Key> = Key extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Key;
export type TextKey = Base<keyof typeof locale>;
export type Translate = (key: TextKey, values?: Record<string, string | number>) => string;

export const NAMESPACE = 'plugin__virt-autopilot-console-plugin';

/** Looks up texts. A key that is not in the English locale file does not compile. */
export function useText(): Translate {
  const { t } = useTranslation(NAMESPACE);
  return useMemo(() => (key, values) => t(key, { ...values, interpolation: { escapeValue: false } }), [t]);
}
