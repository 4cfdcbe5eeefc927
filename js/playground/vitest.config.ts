import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { 'virt-autopilot-ui': fileURLToPath(new URL('../ui/src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    // PatternFly's modules import style sheets, which Node cannot.
    server: { deps: { inline: [/@patternfly/] } },
  },
});
