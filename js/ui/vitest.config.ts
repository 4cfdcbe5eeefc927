import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    include: ['test/**/*.test.tsx', 'test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // PatternFly's modules import style sheets, which Node cannot.
    server: { deps: { inline: [/@patternfly/] } },
  },
});
