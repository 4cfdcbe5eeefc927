/** After loading, the page asks for nothing more: what it will need later is fetched as soon as it has been painted. */

import { loadEditor } from './editor/Editor';

const FACES = ['1em "Red Hat Text"', '500 1em "Red Hat Text"', '1em "Red Hat Display"', '700 1em "Red Hat Display"', '1em "Red Hat Mono"', 'italic 1em "Red Hat Mono"'];

export function warmUp(): void {
  void loadEditor().catch(() => undefined);
  for (const face of FACES) void document.fonts.load(face);
}
