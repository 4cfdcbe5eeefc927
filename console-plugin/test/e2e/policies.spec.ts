/** The console's Content Security Policy as it is, and as it may become. */

import { type Policy, REPORT_ONLY } from './console-server';
import { PAGE, expect, settled, shot, test } from './fixtures';

const enforced = (evaluation: Policy['evaluation'], everywhere = true): Policy => ({ enforced: true, evaluation, everywhere });

const WORKING: [string, Policy][] = [
  ['reported only, as the console sends it', REPORT_ONLY],
  ['enforced', enforced("'unsafe-eval'")],
  ['enforced on the page alone', enforced("'unsafe-eval'", false)],
  ["enforced with 'wasm-unsafe-eval'", enforced("'wasm-unsafe-eval'")],
];

for (const [name, policy] of WORKING) {
  for (const wasmType of ['application/wasm', 'application/octet-stream']) {
    test(`${name}, wasm as ${wasmType}`, async ({ page, server, origin, errors }) => {
      server.policy = policy;
      server.wasmType = wasmType;
      await page.goto(`${origin}${PAGE}`);
      await settled(page);
      await expect(page.getByRole('heading', { name: 'What the autopilot would do' })).toBeVisible();
      expect(server.violations).toEqual([]);
      expect(errors).toEqual([]);
    });
  }
}

test('enforced without either: a readable explanation', async ({ page, server, origin }) => {
  server.policy = enforced(null);
  await page.goto(`${origin}${PAGE}`);
  await expect(page.getByRole('heading', { name: 'This console does not allow WebAssembly' })).toBeVisible();
  await expect(page.getByText("neither 'unsafe-eval' nor 'wasm-unsafe-eval'")).toBeVisible();
  await expect(page.getByText('virt-autopilot, on the output of oc get')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await shot(page, 'blocked-light');
  // Nothing but WebAssembly was stopped.
  for (const report of server.violations) expect(report).toMatch(/script-src/);
});

test('enforced on the page alone without either: the worker has a policy of its own, and works', async ({ page, server, origin }) => {
  server.policy = enforced(null, false);
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
});

test('without a worker the engine runs on the page', async ({ page, server, origin }) => {
  server.withheld = /virt-autopilot-engine/;
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  expect(page.workers()).toEqual([]);
});

test('with a worker it runs there', async ({ page, origin }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  expect(page.workers()).toHaveLength(1);
});

test('without the wasm it says so, and recovers', async ({ page, server, origin }) => {
  server.withheld = /\.wasm$/;
  await page.goto(`${origin}${PAGE}`);
  await expect(page.getByRole('heading', { name: 'The engine cannot be loaded' })).toBeVisible();
  server.withheld = null;
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
});

test('only the entry is loaded until the preview is opened', async ({ page, origin }) => {
  const loaded: string[] = [];
  page.on('request', (request) => { if (request.url().includes('/api/plugins/')) loaded.push(new URL(request.url()).pathname.split('/').pop() ?? ''); });
  await page.goto(`${origin}/`);
  await expect(page.getByRole('link', { name: 'Autopilot preview' })).toBeVisible();
  expect(loaded.map((name) => name.replace(/\.[0-9a-f]{8,}/, ''))).toEqual(['plugin-manifest.json', 'plugin-entry.min.js']);
  await page.getByRole('link', { name: 'Autopilot preview' }).click();
  await settled(page);
  expect(loaded.some((name) => name.endsWith('.wasm'))).toBe(true);
});
