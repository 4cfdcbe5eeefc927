/** Looking texts up, as i18next does it. */

import type { texts } from './texts.js';

type Base<Key> = Key extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Key;

/** The keys of a table of texts, without the suffixes of the plural. */
export type KeyOf<Table> = Base<keyof Table & string>;
export type TextKey = KeyOf<typeof texts>;
export type TextValues = Record<string, string | number>;
/** What i18next's `t` is, as far as the views need it. */
export type Translate<Key extends string = TextKey> = (key: Key, values?: TextValues) => string;

/** Looks texts up in a table that is written as i18next writes its own: `{{value}}`, `_one` and `_other` by `count`. */
export function translateFrom<Table extends Record<string, string>>(table: Table, language = 'en'): Translate<KeyOf<Table>> {
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    const count = values['count'];
    const text = (typeof count === 'number' ? table[`${key}_${plural.select(count)}`] : undefined) ?? table[key] ?? key;
    return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === 'number' ? number.format(value) : value;
    });
  };
}
