import type { ReactNode } from 'react';
import { TextProvider } from 'virt-autopilot-ui';

import { useText } from '../text';

/** Gives the shared views the console's translations. Their texts are in our locale files too. */
export function UiTexts({ children }: { children: ReactNode }) {
  const t = useText();
  return <TextProvider t={t}>{children}</TextProvider>;
}
