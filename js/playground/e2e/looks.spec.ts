import { type Playground, expect, test } from './page';

/** Every view, by how one comes to it. */
const VIEWS: [name: string, open: (app: Playground) => Promise<void>][] = [
  ['plan', () => Promise.resolve()],
  ['asset-changes', (app) => app.openAsset('descheduler-loadaware')],
  ['asset-payload', (app) => app.openAsset('swap-enable')],
  ...['Why', 'Steps', 'Ownership', 'Object', 'Events', 'Override'].map((tab): (typeof VIEWS)[number] => [
    `asset-${tab.toLowerCase()}`,
    (app) => app.openAsset('descheduler-loadaware', tab),
  ]),
  ['findings', (app) => app.resultTab('Findings')],
  ['simulation', (app) => app.resultTab('Simulation')],
  ['events', (app) => app.resultTab('Events and metrics')],
  ['samples', (app) => app.page.getByRole('button', { name: 'Samples' }).click()],
  ['share', (app) => app.page.getByRole('button', { name: 'Share' }).click()],
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1440]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: width < 1000 ? 740 : 900 } });

      for (const [name, open] of VIEWS) {
        test(name, async ({ app, page }) => {
          await app.open();
          await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /pf-v6-theme-dark/ : /^(?!.*dark)/);
          await open(app);
          await page.waitForTimeout(300);
          await app.checkAccessibility();
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          expect(wider, 'nothing is wider than the page').toBeLessThanOrEqual(0);
          await page.screenshot({ path: `screenshots/${colorScheme}-${width}-${name}.png`, fullPage: width < 1000 });
        });
      }

      test('input', async ({ app, page }) => {
        await app.open();
        if (width < 1000) await page.getByRole('button', { name: 'Input', exact: true }).click();
        for (const tab of ['Cluster objects', 'Overrides', 'Git manifests', 'HyperConverged']) {
          await app.inputTab(tab);
          await app.checkAccessibility();
          await page.screenshot({ path: `screenshots/${colorScheme}-${width}-input-${tab.split(' ')[0]?.toLowerCase()}.png` });
        }
      });
    });
  }
}

test('the theme is chosen, and remembered', async ({ app, page }) => {
  await app.open();
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveClass(/pf-v6-theme-dark/);
  await app.open();
  await expect(page.locator('html')).toHaveClass(/pf-v6-theme-dark/);
});
