/** The texts of the views, which a host may replace by a translation. */

import { type ReactNode, createContext, useContext } from 'react';

import { texts } from './texts.js';
import { type Translate, translateFrom } from './translate.js';

const Texts = createContext<Translate>(translateFrom(texts));

/** Gives the views below other texts, for example i18next's. */
export function TextProvider({ t, children }: { t: Translate; children: ReactNode }) {
  return <Texts.Provider value={t}>{children}</Texts.Provider>;
}

export function useText(): Translate {
  return useContext(Texts);
}
