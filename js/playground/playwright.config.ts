import { defineConfig } from '@playwright/test';

/** The folder is served below a path, for it has to work under any. */
const ADDRESS = 'http://127.0.0.1:4181/some/path/';

export default defineConfig({
  testDir: 'e2e',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 2,
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    baseURL: ADDRESS,
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'node scripts/serve.mjs dist 4181 /some/path/',
    url: ADDRESS,
    reuseExistingServer: false,
  },
});
